import { useEffect } from 'react';
import { useUser } from '@/access/use-user';
import type { CurrentUser } from '@/access/user';
import { useSpeaker } from '@/features/alerts/api/speaker';
import { useArrivals } from './use-arrivals';
import { useHolds } from './use-holds';
import { useOffers } from './use-offers';

export interface ArrivalsProps {
  onWaiting: (waiting: number | undefined) => void;
}

/** Tells of new reservations, of holds that end and of beds on offer, and how many wait. Draws nothing. */
export function Arrivals({ onWaiting }: ArrivalsProps) {
  const user = useUser();
  useSpeaker();
  const waiting = useArrivals();
  useEffect(() => onWaiting(waiting), [onWaiting, waiting]);
  return decidesAtOwnSites(user) ? <Decisions /> : null;
}

/** Global admins have every site of the platform, and staff have nothing to decide. */
function decidesAtOwnSites({ isGlobal, ownerOrganizationIds, adminSiteIds, intakeSiteIds }: CurrentUser): boolean {
  return !isGlobal && [ownerOrganizationIds, adminSiteIds, intakeSiteIds].some((ids) => ids.size > 0);
}

function Decisions() {
  useHolds();
  useOffers();
  return null;
}
