import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { guestsQuery } from './guests-query';
import { useWhenHoldEnds } from './use-when-hold-ends';

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
