import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { type GuestPlace, placeForGuest } from './reservations.utils';

/** Whether this user may add a guest to the site now. */
export function useGuestPlace(site: Schemas['SiteDetails']): GuestPlace {
  return placeForGuest(site.counts, useCan('guest.addOverCapacity', { site }));
}
