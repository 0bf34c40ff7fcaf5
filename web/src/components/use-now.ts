import { useEffect, useState } from 'react';
import { onClockCorrected, serverNow } from '@/lib/clock';

/** The time on the server in epoch milliseconds, renewed every `everyMilliseconds`. For what counts down on the screen. */
export function useNow(everyMilliseconds: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const renew = () => setNow(serverNow());
    const timer = setInterval(renew, everyMilliseconds);
    const stop = onClockCorrected(renew);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [everyMilliseconds]);
  return now;
}
