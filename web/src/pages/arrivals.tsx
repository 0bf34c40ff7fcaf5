import { useEffect } from 'react';
import { useArrivals } from './use-arrivals';

export interface ArrivalsProps {
  onWaiting: (waiting: number | undefined) => void;
}

/** Tells of new reservations, and how many wait. Draws nothing. */
export function Arrivals({ onWaiting }: ArrivalsProps) {
  const waiting = useArrivals();
  useEffect(() => onWaiting(waiting), [onWaiting, waiting]);
  return null;
}
