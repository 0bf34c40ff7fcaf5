import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Schemas } from '@/api/client';
import { guestQuery } from './guest-query';
import { guestKeys } from './keys';
import { useSiteGuests } from './use-site-guests';
import { isListed } from './with-guest';

/**
 * The guest as it now is. Live events refresh the site's list, so the list speaks for a pending or assigned guest; one
 * that has left the list (declined, discharged, expired) is asked for again. The loader must have loaded `guestQuery`.
 */
export function useLiveGuest(guestId: string): Schemas['Guest'] {
  const queryClient = useQueryClient();
  const { data: loaded } = useSuspenseQuery(guestQuery(guestId));
  const { data: guests } = useSiteGuests(loaded.siteId);
  const listed = guests?.find((guest) => guest.id === guestId);
  const hasLeft = guests !== undefined && listed === undefined && isListed(loaded);
  useEffect(() => {
    if (hasLeft) void queryClient.invalidateQueries({ queryKey: guestKeys.one(guestId) });
  }, [hasLeft, guestId, queryClient]);
  return listed && listed.version >= loaded.version ? listed : loaded;
}
