import { useEffect } from 'react';

/** Time that the screen has to itself, in milliseconds. */
const HEAD_START_MILLISECONDS = 1000;
/** Maximum wait for a moment in which the page does nothing, in milliseconds. */
const MAX_WAIT_MILLISECONDS = 1000;

/**
 * Loads code that a click may need, so that the click is answered at once, also when the network is gone by then. The code of the screen
 * itself comes first. A failed load does nothing: the click tries again.
 */
export function useLoadAhead(load: () => Promise<unknown>): void {
  useEffect(() => {
    const run = () => void load().catch(() => undefined);
    let idle: number | undefined;
    const timer = setTimeout(() => {
      // Not every Safari has it.
      if ('requestIdleCallback' in window) idle = requestIdleCallback(run, { timeout: MAX_WAIT_MILLISECONDS });
      else run();
    }, HEAD_START_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      if (idle !== undefined) cancelIdleCallback(idle);
    };
  }, [load]);
}
