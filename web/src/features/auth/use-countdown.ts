import { useEffect, useState } from 'react';

/** Whole seconds until an instant in epoch milliseconds, counting down to 0. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    if (seconds === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), 1000);
    return () => clearTimeout(timer);
  }, [seconds, now]);
  return seconds;
}
