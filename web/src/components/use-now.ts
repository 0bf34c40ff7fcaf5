import { useCallback, useSyncExternalStore } from 'react';
import { everySoOften } from '@/lib/clock';

/**
 * The time on the server in epoch milliseconds, renewed every `everyMilliseconds`. For what counts down on the screen.
 * All that is renewed equally often shares one timer and changes in the same moment, however many rows a table has.
 */
export function useNow(everyMilliseconds: number): number {
  const ticks = everySoOften(everyMilliseconds);
  return useSyncExternalStore(
    useCallback((listener) => ticks.listen(listener), [ticks]),
    ticks.now,
  );
}
