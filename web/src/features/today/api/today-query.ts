import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { todayKeys } from './keys';

/** The ways to pay, at both kinds of sites. */
export const PAYERS = ['PrivatePay', 'Insurance', 'MediCal', 'SlidingScale', 'Scholarship'] as const;

/** What is shown of Today; all of it without any. */
export interface TodayFilters {
  siteId?: string | undefined;
  /** Id of a service of the catalog. */
  service?: string | undefined;
  payer?: (typeof PAYERS)[number] | undefined;
}

/** Interval in milliseconds at which the platform is asked for again: no live event does it. */
const PLATFORM_INTERVAL_MILLISECONDS = 30_000;
/** The same for the sites of others, of which events tell: a midnight makes none. */
const OWN_INTERVAL_MILLISECONDS = 5 * 60_000;

/** What waits, what is free, what happened and what comes, at the sites of the caller. */
export function todayQuery(isPlatform: boolean, filters: TodayFilters) {
  return queryOptions({
    queryKey: todayKeys.list(isPlatform, filters),
    queryFn: ({ signal }) => unwrap(client.GET('/api/Today', { params: { query: filters }, signal })),
    // Asked for each time the screen opens; what has not changed costs a 304.
    staleTime: 0,
    refetchInterval: isPlatform ? PLATFORM_INTERVAL_MILLISECONDS : OWN_INTERVAL_MILLISECONDS,
  });
}
