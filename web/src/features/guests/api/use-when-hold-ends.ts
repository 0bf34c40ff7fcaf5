import { useEffect } from 'react';
import type { Schemas } from '@/api/client';
import { onClockCorrected, serverNow } from '@/lib/clock';

type Waiting = Pick<Schemas['Guest'], 'status' | 'expiresAt'>;

/** Time after the end of a hold at which the server is asked what became of it, in milliseconds. */
const AFTER_THE_END = 500;

/** Milliseconds until the next hold among the guests ends, by the server's clock; none when nobody has one left. */
function untilNextHoldEnds(guests: readonly Waiting[], now: number): number | undefined {
  const ends = guests
    .filter(({ status }) => status === 'pending')
    .map(({ expiresAt }) => (expiresAt === null ? 0 : Date.parse(expiresAt)))
    .filter((end) => end > now);
  return ends.length === 0 ? undefined : Math.min(...ends) - now;
}

/** Calls `onEnd`, which must be stable, shortly after the next hold among the guests ends. */
export function useWhenHoldEnds(guests: readonly Waiting[] | undefined, onEnd: () => void): void {
  useEffect(() => {
    if (!guests) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      const left = untilNextHoldEnds(guests, serverNow());
      if (left === undefined) return;
      timer = setTimeout(onEnd, left + AFTER_THE_END);
    };
    wait();
    const stop = onClockCorrected(wait);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [guests, onEnd]);
}
