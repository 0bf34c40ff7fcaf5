import { fold } from '@/lib/text';

/** From so many rows on a list has a search, a sort and a table view. */
export const LONG_LIST = 20;

/** Returns true if every word of the query is in one of the texts, whatever its case and accents. */
export function containsWords(texts: readonly string[], query: string): boolean {
  const text = fold(texts.join(' '));
  return fold(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
