import { useEffect, useState } from 'react';
import { serverNow } from '@/lib/clock';

/** Whole seconds until an instant in epoch milliseconds by the server's clock, counting down to 0. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(serverNow);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  const isRunning = seconds > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(serverNow()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return seconds;
}
