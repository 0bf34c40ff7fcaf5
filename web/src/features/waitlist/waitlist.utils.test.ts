import { expect, it } from 'vitest';
import { waitedFor } from './waitlist.utils';

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
