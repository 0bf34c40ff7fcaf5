import type { Schemas } from '@/api/client';
import { formatList } from '@/lib/format';
import type { NumbersSearch } from './numbers-search';

/** The lengths that can be chosen at once, in days. The address leaves the first one out. */
export const SPANS = [30, 90, 365] as const;

/** The five figures, as the server names them. */
export const FIGURES = ['occupancy', 'lengthOfStay', 'decisions', 'holds', 'reasons'] as const;

/** One of the figures. */
export type Figure = (typeof FIGURES)[number];

/** Whose numbers are shown. */
export interface NumbersScope {
  kind: 'site' | 'organization';
  id: string;
}

/** The range as the server is asked for it. */
export type RangeQuery = { days: number } | { from?: string; to?: string };

/** Returns true if the address names days of its own. */
export function hasOwnDays({ from, to }: NumbersSearch): boolean {
  return from !== undefined || to !== undefined;
}

/** How many days up to today an address asks for. */
export function spanOf({ days }: NumbersSearch): number {
  return SPANS.find((span) => span === days) ?? SPANS[0];
}

/** What is asked of the server for an address. */
export function rangeOf(search: NumbersSearch): RangeQuery {
  if (!hasOwnDays(search)) return { days: spanOf(search) };
  const { from, to } = search;
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The address of a figure as a file. */
export function numbersFileOf(
  { kind, id }: NumbersScope,
  range: RangeQuery,
  figure: Figure,
  format: 'csv' | 'xlsx',
  language: string,
): string {
  const place = kind === 'site' ? 'Sites' : 'Organizations';
  const days = Object.entries(range).map(([key, value]) => [key, String(value)]);
  const query = new URLSearchParams([...days, ['figure', figure], ['language', language]]);
  return `/api/${place}/${id}/numbers.${format}?${query.toString()}`;
}

/** A band with both of its ends; `from` is the first number in it. */
export interface BandRange {
  from: number;
  upTo: number | null;
  count: number;
}

/** The bands of the server with their lower ends: each begins where the one before ends. */
export function bandRanges(bands: readonly Schemas['NumbersBand'][], first: number): BandRange[] {
  return bands.map((band, index) => ({ ...band, from: index === 0 ? first : (bands[index - 1]?.upTo ?? first) + 1 }));
}

/** Minutes in words: `45 min`, `2 hr, 5 min`, `1 day, 3 hr`. */
export function formatMinutes(minutes: number, language: string): string {
  const whole = Math.round(minutes);
  const parts: [string, number][] =
    whole >= 1440
      ? [
          ['day', Math.floor(whole / 1440)],
          ['hour', Math.floor((whole % 1440) / 60)],
        ]
      : [
          ['hour', Math.floor(whole / 60)],
          ['minute', whole % 60],
        ];
  const words = parts
    .filter(([, count]) => count > 0)
    .map(([unit, count]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count),
    );
  if (words.length > 0) return formatList(words, language);
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'short' }).format(0);
}

/** A part of a whole, 0 to 1; null of nothing. */
export function partOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
