import { dateFormat } from '@/lib/date-formats';

/** A day of a chart of occupied beds. */
export interface ChartDay {
  /** Such as `2026-12-01`. */
  date: string;
  /** All beds that count. */
  beds: number;
  /** Those of them with a guest. */
  occupied: number;
}

/** The top of the scale: the next round number at or above the most beds, at least 4. */
export function scaleTop(days: readonly ChartDay[]): number {
  const most = Math.max(4, ...days.map(({ beds, occupied }) => Math.max(beds, occupied)));
  const step = 10 ** Math.max(0, Math.floor(Math.log10(most)) - 1) * 2;
  return Math.ceil(most / step) * step;
}

/** Points of a line in a box of `width` × `height`, as SVG wants them. Coordinates have one decimal. */
export function linePoints(values: readonly number[], top: number, width: number, height: number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, index) => `${(index * step).toFixed(1)},${(height - (value / top) * height).toFixed(1)}`)
    .join(' ');
}

/** A date without a time in the language of the reader: "Mar 2, 2026". */
export function formatDay(date: string, language: string, style: 'short' | 'long' = 'long'): string {
  const year = style === 'long' ? ({ year: 'numeric' } as const) : {};
  return dateFormat(language, { month: 'short', day: 'numeric', ...year, timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );
}

/**
 * Returns how averages that stand together are written: all of them with one decimal where one of them needs it, else none of
 * them.
 */
export function averageFormat(values: readonly (number | null)[], language: string): (value: number) => string {
  const isWhole = values.every((value) => Math.round((value ?? 0) * 10) % 10 === 0);
  const digits = isWhole ? 0 : 1;
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value) => format.format(value);
}

/** A share as a whole percentage. */
export function formatShare(share: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}
