import { expect, it } from 'vitest';
import { hasMoved, keepOpen, waitedFor } from './waitlist.utils';

const HOUR = 3_600_000;

it('the wait is told in minutes, from an hour on in hours, from two days on in days', () => {
  expect(waitedFor(0, 59 * 60_000)).toEqual({ unit: 'minutes', count: 59 });
  expect(waitedFor(0, HOUR)).toEqual({ unit: 'hours', count: 1 });
  expect(waitedFor(0, 47 * HOUR)).toEqual({ unit: 'hours', count: 47 });
  expect(waitedFor(0, 48 * HOUR)).toEqual({ unit: 'days', count: 2 });
});

it('a clock that is behind shows no negative wait', () => {
  expect(waitedFor(HOUR, 0)).toEqual({ unit: 'minutes', count: 0 });
});

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

it('a row whose change is open stays as it was and where it was', () => {
  const before = rows('a', 'b', 'c');
  const idsOf = (now: readonly { id: string }[], ...open: string[]) =>
    keepOpen(before, now, (id) => open.includes(id)).map(({ id }) => id);
  expect(idsOf(rows('a', 'c'), 'b')).toEqual(['a', 'b', 'c']);
  expect(idsOf(rows('a', 'c', 'b'), 'b')).toEqual(['a', 'b', 'c']);
  expect(idsOf(rows('c'), 'a', 'b')).toEqual(['a', 'b', 'c']);
  expect(idsOf(rows(), 'b')).toEqual(['b']);
  expect(idsOf(rows('a', 'c'))).toEqual(['a', 'c']);
  const [, old] = before;
  expect(keepOpen(before, rows('a', 'b'), (id) => id === 'b')[1]).toBe(old);
});

it('a row has moved if another one was before it and is not, or the other way round', () => {
  expect(hasMoved(['a', 'b'], ['b'])).toBe(true);
  expect(hasMoved(['a', 'b'], ['b', 'a'])).toBe(true);
  expect(hasMoved(['a'], ['x', 'a'])).toBe(true);
  expect(hasMoved(['a', 'b'], ['a'])).toBe(false);
  expect(hasMoved(['a'], ['a', 'x'])).toBe(false);
  expect(hasMoved([], ['a'])).toBe(false);
});
