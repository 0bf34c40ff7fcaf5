/** Where the counter of the description is red (spec A section 9): below the first, beyond the second. */
export const DESCRIPTION_MINIMUM = 80;
export const DESCRIPTION_COUNTER = 2000;

/** How far a description is: `missing` or `over` characters, or as it should be. */
export type DescriptionState =
  | { kind: 'short'; length: number; missing: number }
  | { kind: 'good'; length: number }
  | { kind: 'long'; length: number; over: number };

/** Characters as a reader counts them, without the white space around. */
export function descriptionLength(text: string): number {
  return Array.from(text.trim()).length;
}

/** Short only keeps the form from being sent; long is shown, with no hard block (spec A section 5). */
export function descriptionState(text: string): DescriptionState {
  const length = descriptionLength(text);
  if (length < DESCRIPTION_MINIMUM) return { kind: 'short', length, missing: DESCRIPTION_MINIMUM - length };
  if (length > DESCRIPTION_COUNTER) return { kind: 'long', length, over: length - DESCRIPTION_COUNTER };
  return { kind: 'good', length };
}
