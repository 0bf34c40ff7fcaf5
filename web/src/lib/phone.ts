/** Phone numbers of the North American Numbering Plan: `+1` and ten digits (spec A section 5). Pure text work, no React. */

/** Returns the digits after the country code of a whole or partial US number; undefined if it cannot be a US number. */
function nationalDigits(typed: string): string | undefined {
  const digits = typed.replace(/\D/g, '');
  const isForeign = typed.trim().startsWith('+') && digits !== '' && !digits.startsWith('1');
  // No area code begins with 1: it is the country code, also without a plus sign.
  const national = digits.startsWith('1') ? digits.slice(1) : digits;
  return isForeign || national.length > 10 ? undefined : national;
}

/**
 * Returns a US number in any spelling as `+17145551234`, and a partial one as `+1` and its digits. A number that cannot be
 * a US number keeps all its digits, so that validation rejects it.
 */
export function toStoredPhone(typed: string): string {
  const sign = typed.trim().startsWith('+') ? '+' : '';
  const national = nationalDigits(typed);
  if (national === undefined) return `${sign}${typed.replace(/\D/g, '')}`;
  if (national !== '') return `+1${national}`;
  // Keep a country code that is being typed; drop it once the digits after it were deleted.
  if (typed.includes('(')) return '';
  return typed.includes('1') ? '+1' : sign;
}

/** `+17145551234` → `+1 (714) 555-1234`; unfinished numbers as far as they go; masked ones (`+1******1234`) too. */
export function formatPhone(value: string): string {
  const masked = /^\+1([\d*•]{10})$/.exec(value)?.[1];
  if (masked) return `+1 (${masked.slice(0, 3)}) ${masked.slice(3, 6)}-${masked.slice(6)}`;
  if (/[*•]/.test(value)) return value; // Masked in another way: shown as the server wrote it.
  const digits = nationalDigits(value);
  if (digits === undefined) return value;
  if (digits === '') return /^\+1?$/.test(value) ? value : '';
  if (digits.length <= 3) return `+1 (${digits}`;
  if (digits.length <= 6) return `+1 (${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
