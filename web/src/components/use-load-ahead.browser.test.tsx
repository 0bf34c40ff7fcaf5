import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { useLoadAhead } from './use-load-ahead';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(window, 'requestIdleCallback').mockImplementation((run) => {
    run({ didTimeout: false, timeRemaining: () => 1 });
    return 0;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('what a click may need is loaded after the screen, once', async () => {
  const load = vi.fn(() => Promise.resolve());
  await renderHook(() => useLoadAhead(load));
  await vi.advanceTimersByTimeAsync(999);
  expect(load).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).toHaveBeenCalledTimes(1);
});

it('a screen that was left loads nothing more', async () => {
  const load = vi.fn(() => Promise.resolve());
  const { unmount } = await renderHook(() => useLoadAhead(load));
  await unmount();
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).not.toHaveBeenCalled();
});
