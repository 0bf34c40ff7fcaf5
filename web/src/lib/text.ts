/** Small helpers for texts shown to people. */

/** Cuts a text to `limit` characters, the ellipsis included; names in lists are cut to 20 (spec A section 9). */
export function truncate(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}

/** One or two capital letters that stand for a name where there is no picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('');
}

/** Letters that carry no accent to take off, as people type them. */
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  '‘': "'",
  '’': "'",
};

/** A text as people search for it: lower case, without accents, single spaces. The server's searches do the same. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœþøłđðı‘’]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ');
}

/** Returns true if `text` contains `search`, ignoring case, accents and surrounding spaces. */
export function contains(text: string, search: string): boolean {
  return fold(text).includes(fold(search));
}
