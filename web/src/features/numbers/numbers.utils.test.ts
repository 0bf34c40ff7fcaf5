import { describe, expect, it } from 'vitest';
import { bandRanges, formatMinutes, numbersFileOf, partOf, rangeOf } from './numbers.utils';
import { numbersSearchFields } from './numbers-search';
import * as z from 'zod/mini';

describe('the range of an address', () => {
  const read = (search: Record<string, unknown>) => rangeOf(z.parse(z.object(numbersSearchFields), search));

  it('is the last 30 days, or as many as can be chosen', () => {
    expect(read({})).toEqual({ days: 30 });
    expect(read({ days: 365 })).toEqual({ days: 365 });
    expect(read({ days: 31 })).toEqual({ days: 30 });
  });

  it('is days of its own where it names one, and what is no day is left out', () => {
    expect(read({ days: 90, from: '2026-02-01', to: '2026-02-28' })).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(read({ to: '2026-02-28' })).toEqual({ to: '2026-02-28' });
    expect(read({ from: 'yesterday', to: '2026-2-3' })).toEqual({ days: 30 });
    expect(read({ from: '2026-02-31' })).toEqual({ days: 30 });
    // A year that was typed in a hurry goes to the server, which says at the field what is wrong.
    expect(read({ from: '0026-02-01' })).toEqual({ from: '0026-02-01' });
  });
});

it('a file holds one figure for the range that is shown', () => {
  expect(numbersFileOf({ kind: 'site', id: 's1' }, { days: 90 }, 'holds', 'csv', 'es')).toBe(
    '/api/Sites/s1/numbers.csv?days=90&figure=holds&language=es',
  );
  expect(numbersFileOf({ kind: 'organization', id: 'o1' }, { from: '2026-02-01' }, 'lengthOfStay', 'xlsx', 'en')).toBe(
    '/api/Organizations/o1/numbers.xlsx?from=2026-02-01&figure=lengthOfStay&language=en',
  );
});

it('a band begins where the one before it ends', () => {
  const bands = [
    { upTo: 7, count: 3 },
    { upTo: 30, count: 0 },
    { upTo: null, count: 1 },
  ];
  expect(bandRanges(bands, 1).map(({ from, upTo }) => [from, upTo])).toEqual([
    [1, 7],
    [8, 30],
    [31, null],
  ]);
});

it('a time is told in its two largest units', () => {
  expect([0, 0.4, 45, 60, 125.5, 1440, 1500, 4500].map((minutes) => formatMinutes(minutes, 'en'))).toEqual([
    '0 min',
    '0 min',
    '45 min',
    '1 hr',
    '2 hr and 6 min',
    '1 day',
    '1 day and 1 hr',
    '3 days and 3 hr',
  ]);
  expect(formatMinutes(125, 'es')).toBe('2 h y 5 min');
});

it('nothing has no parts', () => {
  expect([partOf(1, 4), partOf(0, 0)]).toEqual([0.25, null]);
});
