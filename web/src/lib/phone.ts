/** US phone numbers: `+1` and ten digits (spec A section 5). Pure text work, no React. */

const US_PHONE = /^\+1\d{10}$/;

/** The ten national digits of what was typed or pasted: signs, spaces and a leading 1 or +1 are dropped. */
export function nationalDigits(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  const hasCountry = typed.trim().startsWith('+1') || (digits.length > 10 && digits.startsWith('1'));
  return (hasCountry ? digits.slice(1) : digits).slice(0, 10);
}

/** `+15551234567` for ten digits; for fewer, `+1` and what is there; empty for nothing. */
export function toStoredPhone(typed: string): string {
  const digits = nationalDigits(typed);
  return digits === '' ? '' : `+1${digits}`;
}

/** Whether the value is `+1` followed by exactly ten digits. */
export function isPhone(value: string): boolean {
  return US_PHONE.test(value);
}

/** `+15551234567` → `+1 (555) 123-4567`; unfinished numbers as far as they go; masked ones (`+1******4567`) too. */
export function formatPhone(value: string): string {
  const masked = /^\+1([\d*•]{10})$/.exec(value)?.[1];
  if (masked) return `+1 (${masked.slice(0, 3)}) ${masked.slice(3, 6)}-${masked.slice(6)}`;
  if (/[*•]/.test(value)) return value; // Masked in another way: shown as the server wrote it.
  const digits = nationalDigits(value);
  if (digits === '') return '';
  if (digits.length <= 3) return `+1 (${digits}`;
  if (digits.length <= 6) return `+1 (${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
