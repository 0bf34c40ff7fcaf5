import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client, type Schemas, unwrap } from '@/api/client';
import { onClockCorrected, serverNow } from '@/lib/clock';
import { guestKeys } from './keys';

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

/** Time after the end of a hold at which the server is asked what became of it, in milliseconds. */
const AFTER_THE_END = 500;

/** Milliseconds until the next hold among the guests ends, by the server's clock; none when nobody has one left. */
export function untilNextHoldEnds(guests: readonly Guest[], now: number): number | undefined {
  const ends = guests
    .filter(({ status }) => status === 'pending')
    .map(({ expiresAt }) => (expiresAt === null ? 0 : Date.parse(expiresAt)))
    .filter((end) => end > now);
  return ends.length === 0 ? undefined : Math.min(...ends) - now;
}

/**
 * The guests of a site on a screen that shows them. When a hold ends, the site is asked for again at once: which
 * reservations are live, and how many, is the server's word.
 */
export function useSiteGuests(siteId: string) {
  const queryClient = useQueryClient();
  const query = useQuery(guestsQuery(siteId));
  const guests = query.data;
  useEffect(() => {
    if (!guests) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      const left = untilNextHoldEnds(guests, serverNow());
      if (left === undefined) return;
      timer = setTimeout(
        () => void queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
        left + AFTER_THE_END,
      );
    };
    wait();
    const stop = onClockCorrected(wait);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [guests, queryClient, siteId]);
  return query;
}
