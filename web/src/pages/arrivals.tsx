import { useEffect } from 'react';
import { useArrivals } from './use-arrivals';

/** Tells of new reservations, and how many wait. Draws nothing. */
export function Arrivals({ onWaiting }: { onWaiting: (waiting: number | undefined) => void }) {
  const waiting = useArrivals();
  useEffect(() => onWaiting(waiting), [onWaiting, waiting]);
  return null;
}
