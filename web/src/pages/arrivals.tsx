import { useEffect } from 'react';
import { useUser } from '@/access/use-user';
import { decidesAnywhere } from '@/access/user';
import { useSpeaker } from '@/features/alerts/api/speaker';
import { useArrivals } from './use-arrivals';
import { useHolds } from './use-holds';

export interface ArrivalsProps {
  onWaiting: (waiting: number | undefined) => void;
}

/** Tells of new reservations and of holds that end, and how many wait. Draws nothing. */
export function Arrivals({ onWaiting }: ArrivalsProps) {
  const user = useUser();
  useSpeaker();
  const waiting = useArrivals();
  useEffect(() => onWaiting(waiting), [onWaiting, waiting]);
  // Global admins have every site of the platform, and staff have nothing to decide.
  return !user.isGlobal && decidesAnywhere(user) ? <Holds /> : null;
}

function Holds() {
  useHolds();
  return null;
}
