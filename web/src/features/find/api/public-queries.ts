import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Schemas } from '@/api/client';
import type { paths } from '@/api/schema';
import { type Filters, PAGE_SIZE } from '../find-address';
import { publicClient, unwrapPublic } from './public-client';

/** What the guest knows of a reservation. */
export interface Proof {
  code: string;
  /** The last four digits of the phone. */
  digits: string;
}

type Search = NonNullable<paths['/api/public/sites']['get']['parameters']['query']>;
type Payer = NonNullable<Search['payer']>;

/** Returns the value, or undefined where nothing was chosen. */
function chosen<T extends string>(value: string): T | undefined {
  return value === '' ? undefined : (value as T);
}

/** Without a network a query fails at once, so that the page can say so, and is sent again when the network is back. */
const TELLS_OFFLINE = { networkMode: 'always', refetchOnReconnect: true } as const;

/** The sites that fit a search. */
export function sitesQuery(filters: Filters) {
  const query = {
    search: chosen<string>(filters.place),
    bedType: chosen<Schemas['BedType']>(filters.bedType),
    age: chosen<string>(filters.age),
    gender: chosen<Schemas['Gender']>(filters.gender),
    payer: chosen<Payer>(filters.payer),
    language: chosen<string>(filters.language),
    available: filters.available ? true : undefined,
    page: filters.page + 1,
    pageSize: PAGE_SIZE,
  };
  return queryOptions({
    ...TELLS_OFFLINE,
    queryKey: ['find', 'sites', filters],
    queryFn: ({ signal }) => unwrapPublic(publicClient.GET('/api/public/sites', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** One site, with what its form may offer. */
export function siteQuery(id: string) {
  return queryOptions({
    ...TELLS_OFFLINE,
    queryKey: ['find', 'site', id],
    queryFn: ({ signal }) =>
      unwrapPublic(publicClient.GET('/api/public/sites/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
  });
}

/** The state of a reservation. Forgotten as soon as it is no longer shown. */
export function stateQuery({ code, digits }: Proof) {
  return queryOptions({
    ...TELLS_OFFLINE,
    queryKey: ['find', 'state', code, digits],
    queryFn: ({ signal }) => loadState({ code, digits }, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** Loads the state of a reservation. The digits travel in a header, since addresses are written down on the way. */
export async function loadState({ code, digits }: Proof, signal?: AbortSignal): Promise<Schemas['ReservationState']> {
  const params = { path: { code }, header: { 'Phone-Last-Four': digits } };
  const call = publicClient.GET('/api/public/reservations/{code}', { params, ...(signal ? { signal } : {}) });
  return unwrapPublic(call);
}
