import { useEffect, useState } from 'react';

/** The present moment in epoch milliseconds, renewed every `everyMilliseconds`. For what counts down on the screen. */
export function useNow(everyMilliseconds: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMilliseconds);
    return () => clearInterval(timer);
  }, [everyMilliseconds]);
  return now;
}
