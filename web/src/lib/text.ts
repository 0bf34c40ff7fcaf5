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

/** A path inside this site that is safe to go back to; anything else (other hosts, sign-in pages) is undefined. */
export function safeReturnPath(path: string | undefined): string | undefined {
  if (!path?.startsWith('/') || path.startsWith('//') || path.startsWith('/\\')) return undefined;
  if (/^\/(login|logout|create-password|restore-password|reset-password|confirm-email|two-factor-|error)/.test(path))
    return undefined;
  return path;
}
