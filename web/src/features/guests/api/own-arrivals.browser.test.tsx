import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tellUserForgotten } from '@/lib/session-end';
import { noteOwnArrival, withoutOwnArrivals } from './own-arrivals';

const visibility = () => vi.spyOn(document, 'visibilityState', 'get');

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  tellUserForgotten();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a reservation that was made here is left out for ten seconds', () => {
  visibility().mockReturnValue('visible');
  noteOwnArrival('s1')(true);
  vi.advanceTimersByTime(9000);
  expect(withoutOwnArrivals('s1', 2)).toBe(1);
  noteOwnArrival('s1')(true);
  vi.advanceTimersByTime(11_000);
  expect(withoutOwnArrivals('s1', 1)).toBe(1);
});

it('in a hidden tab it is left out until the user has seen the list again', () => {
  const state = visibility().mockReturnValue('hidden');
  noteOwnArrival('s1')(true);
  vi.advanceTimersByTime(600_000);
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(9000);
  expect(withoutOwnArrivals('s1', 1)).toBe(0);
});

it('what was not made, and what the list has shown before the answer, hides no other', () => {
  visibility().mockReturnValue('visible');
  noteOwnArrival('s1')(false);
  expect(withoutOwnArrivals('s1', 1)).toBe(1);
  const noteAnswer = noteOwnArrival('s1');
  expect(withoutOwnArrivals('s1', 1)).toBe(0);
  noteAnswer(true);
  expect(withoutOwnArrivals('s1', 1)).toBe(1);
});
