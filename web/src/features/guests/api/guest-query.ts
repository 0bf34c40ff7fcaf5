import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client, type Schemas, unwrap } from '@/api/client';
import { useSiteGuests } from './guests-query';
import { guestKeys } from './keys';
import { isListed } from './with-guest';

/** One guest in any state (spec B section 7). The server notes who looked. */
export function guestQuery(guestId: string) {
  return queryOptions({
    queryKey: guestKeys.one(guestId),
    queryFn: ({ signal }) => unwrap(client.GET('/api/Guests/{id}', { params: { path: { id: guestId } }, signal })),
  });
}

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
