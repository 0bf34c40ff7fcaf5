import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestKeys } from './keys';
import { useWhenHoldEnds } from './use-when-hold-ends';

type Guest = Schemas['Guest'];

async function loadGuests(siteId: string, signal: AbortSignal): Promise<readonly Guest[]> {
  const answer = await unwrap(client.GET('/api/Guests', { params: { query: { siteId } }, signal }));
  return answer.items;
}

/** All pending and assigned guests of a site (spec B section 7); history is not among them. */
export function guestsQuery(siteId: string) {
  return queryOptions({
    queryKey: guestKeys.list(siteId),
    queryFn: ({ signal }) => loadGuests(siteId, signal),
  });
}

/**
 * The guests of a site on a screen that shows them. When a hold ends, the site is asked for again at once: which
 * reservations are live, and how many, is the server's word.
 */
export function useSiteGuests(siteId: string) {
  const queryClient = useQueryClient();
  const query = useQuery(guestsQuery(siteId));
  useWhenHoldEnds(
    query.data,
    useCallback(() => void queryClient.invalidateQueries({ queryKey: ['sites', siteId] }), [queryClient, siteId]),
  );
  return query;
}
