/** Numbers, money and lists through Intl. */
import { regionalLocale } from './date-formats';

/** A whole number with the separators of the language. */
export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** An amount in dollars or another currency, e.g. `$1,200.00`. `currency` is an ISO code in any case. */
export function formatMoney(amount: number, currency: string, language: string): string {
  return new Intl.NumberFormat(regionalLocale(language), { style: 'currency', currency }).format(amount);
}

/** Names joined as the language joins them: `A, B and C`. */
export function formatList(items: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
}

/** A wait in words: `20 seconds`, `34 minutes and 35 seconds`, `1 hour and 2 minutes`. At least one second. */
export function formatWait(seconds: number, language: string): string {
  const left = Math.max(1, Math.ceil(seconds));
  const [units, size] = left >= 3600 ? [['hour', 'minute'], 3600] : [['minute', 'second'], 60];
  const counts = [Math.floor(left / size), Math.floor((left % size) / (size / 60))];
  const words = units.flatMap((unit, index) => {
    const count = counts[index];
    return count ? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count) : [];
  });
  return formatList(words, language);
}

/** `m:ss` for a countdown in whole seconds. */
export function formatCountdown(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}
