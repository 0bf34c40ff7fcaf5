import { useEffect, useState } from 'react';

/** Whole seconds until an instant in epoch milliseconds, counting down to 0. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  const isRunning = seconds > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return seconds;
}
