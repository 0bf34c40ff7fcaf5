import { queryOptions } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { todayKeys } from './keys';

/** What is shown of Today; all of it without any. */
export interface TodayFilters {
  siteId?: string | undefined;
  /** Id of a service of the catalog. */
  service?: string | undefined;
  /** A way to pay at a commercial site, or a payment option of a non-commercial one. */
  payer?: string | undefined;
}

/* The types of `GET /api/Today`, until those of the server are generated: `Schemas['Today']` takes the place of all of them. */

/** What an entry tells of its site: enough for the rights at it, and for its times. */
export interface TodayPlace {
  id: string;
  name: string;
  organizationId: string;
  isCommercial: boolean;
  timeZone: string;
}

/** A reservation that waits for a decision. */
export interface TodayWaiting {
  guest: Schemas['Guest'];
  site: TodayPlace;
}

/** The beds of a site that are free now. */
export interface TodaySite extends TodayPlace {
  organizationName: string;
  roles: Schemas['Role'][];
  counts: Schemas['SiteCounts'] & { available: number };
  /** By type, for types with at least one enabled bed. */
  free: { type: Schemas['BedType']; vacant: number; available: number }[];
}

interface TodayBed {
  roomName: string;
  bedName: string;
}

/** Something that happened to a guest since midnight. */
export interface TodayMove {
  kind: 'accepted' | 'moved' | 'swapped' | 'discharged' | 'declined' | 'cancelled' | 'expired';
  at: string;
  by: string | null;
  byUserId: string | null;
  /** As the guest is now. */
  guest: Schemas['Guest'];
  site: TodayPlace;
  from: TodayBed | null;
  to: TodayBed | null;
}

/** A guest near or above the longest stay of the site. */
export interface TodayStay {
  guest: Schemas['Guest'];
  site: TodayPlace;
  maximumStayDays: number;
  /** Negative: days above it. */
  daysLeft: number;
}

/** The shift over all sites of the caller. */
export interface Today {
  waiting: TodayWaiting[];
  waitingTotal: number;
  sites: TodaySite[];
  sitesTotal: number;
  moves: TodayMove[];
  hasMoreMoves: boolean;
  soon: TodayStay[];
  soonTotal: number;
}

type GetToday = (
  path: '/api/Today',
  init: { params: { query: TodayFilters }; signal: AbortSignal },
) => Promise<{ data?: Today; error?: unknown; response: Response }>;
const getToday = client.GET as unknown as GetToday;

/** Interval in milliseconds at which the platform is asked for again: no live event does it. */
const PLATFORM_INTERVAL_MILLISECONDS = 30_000;
/** The same for the sites of others, of which events tell: a midnight makes none. */
const OWN_INTERVAL_MILLISECONDS = 5 * 60_000;

/** What waits, what is free, what happened and what comes, at the sites of the caller. */
export function todayQuery(isPlatform: boolean, filters: TodayFilters) {
  return queryOptions({
    queryKey: todayKeys.list(isPlatform, filters),
    queryFn: ({ signal }) => unwrap(getToday('/api/Today', { params: { query: filters }, signal })),
    // Asked for each time the screen opens; what has not changed costs a 304.
    staleTime: 0,
    refetchInterval: isPlatform ? PLATFORM_INTERVAL_MILLISECONDS : OWN_INTERVAL_MILLISECONDS,
  });
}
