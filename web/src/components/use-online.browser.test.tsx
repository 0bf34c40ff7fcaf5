import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { hasNoNetwork } from '@/lib/lost-connection';
import { useOnline } from './use-online';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
});

it('what is missing is asked for at once when the network is back, and again: at first it often carries nothing', async () => {
  const ask = vi.fn();
  await renderHook(() => useOnline(ask));
  expect(hasNoNetwork()).toBe(false);
  window.dispatchEvent(new Event('online'));
  const times = [ask.mock.calls.length];
  for (const second of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    expect(hasNoNetwork(), `before second ${second}`).toBe(second <= 8);
    await vi.advanceTimersByTimeAsync(1000);
    times.push(ask.mock.calls.length);
  }
  expect(times).toEqual([1, 2, 2, 3, 3, 3, 3, 3, 4, 4]);
});

it('a network that comes and goes is asked as after its last return', async () => {
  const ask = vi.fn();
  await renderHook(() => useOnline(ask));
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(500);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(900);
  expect(ask).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(8000);
  expect(ask).toHaveBeenCalledTimes(5);
});

it('a part that is gone asks no more', async () => {
  const ask = vi.fn();
  const { unmount } = await renderHook(() => useOnline(ask));
  window.dispatchEvent(new Event('online'));
  await unmount();
  await vi.advanceTimersByTimeAsync(9000);
  expect(ask).toHaveBeenCalledTimes(1);
});
