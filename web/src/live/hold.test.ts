import { expect, it, vi } from 'vitest';
import { holdLiveUpdates, whenReleased } from './hold';

it('news come at once when nobody holds', () => {
  const run = vi.fn<() => void>();
  whenReleased(run);
  expect(run).toHaveBeenCalledTimes(1);
});

it('news wait for the last hold, come once, and a hold is released once', () => {
  const run = vi.fn<() => void>();
  const releaseDrag = holdLiveUpdates();
  const releaseDialog = holdLiveUpdates();
  whenReleased(run);
  whenReleased(run);
  releaseDrag();
  releaseDrag();
  expect(run).not.toHaveBeenCalled();
  releaseDialog();
  expect(run).toHaveBeenCalledTimes(1);
});
