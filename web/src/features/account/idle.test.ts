import { expect, it } from 'vitest';
import { secondsUntilIdle, shouldExtend } from './idle.utils';

it('counts from the last call the server saw', () => {
  expect(secondsUntilIdle(0, 15, 14 * 60_000)).toBe(60);
  expect(secondsUntilIdle(0, 15, 15 * 60_000 - 1)).toBe(1);
  expect(secondsUntilIdle(0, 15, 20 * 60_000)).toBe(0);
});

it('touching the page is told to the server once a minute, more often for short limits', () => {
  expect(shouldExtend(0, 15, 59_999)).toBe(false);
  expect(shouldExtend(0, 15, 60_000)).toBe(true);
  expect(shouldExtend(0, 2, 30_000)).toBe(true);
});
