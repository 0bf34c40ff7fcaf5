import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { type ListSearch, listQuery } from '../dashboard.utils';
import { dashboardKeys } from './keys';

/** Numbers of the platform change all the time; what is older than this is asked for again when it is shown. */
const FRESH_FOR = 10_000;

/** A page of the people of the platform. */
export const usersPageQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: dashboardKeys.list('users', search),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Dashboard/users', { params: { query: listQuery(search) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });

/** A page of the organizations of the platform. */
export const organizationsPageQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: dashboardKeys.list('organizations', search),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Dashboard/organizations', { params: { query: listQuery(search) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });

/** A page of the sites of the platform, with the totals of all of them. */
export const sitesPageQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: dashboardKeys.list('sites', search),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Dashboard/sites', { params: { query: listQuery(search) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });

/** What the selected sites have and hold together. */
export const siteTotalsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: dashboardKeys.totals(ids),
    queryFn: ({ signal }) => unwrap(client.POST('/api/Dashboard/sites/totals', { body: { ids: [...ids] }, signal })),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });

/** One person of the platform, whichever page of the list the row is on. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: dashboardKeys.user(id),
    queryFn: ({ signal }) => unwrap(client.GET('/api/Dashboard/users/{id}', { params: { path: { id } }, signal })),
    staleTime: FRESH_FOR,
  });

/** One site of the platform, whichever page of the list the row is on. */
export const dashboardSiteQuery = (id: string) =>
  queryOptions({
    queryKey: dashboardKeys.site(id),
    queryFn: ({ signal }) => unwrap(client.GET('/api/Dashboard/sites/{id}', { params: { path: { id } }, signal })),
    staleTime: FRESH_FOR,
  });

/** An organization with its owners and sites. */
export const organizationDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: dashboardKeys.organization(id),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Dashboard/organizations/{id}', { params: { path: { id } }, signal })),
    staleTime: FRESH_FOR,
  });

/** How full the beds were: of one site, or of all. */
export const occupancyQuery = (siteId: string | undefined, days: number) =>
  queryOptions({
    queryKey: dashboardKeys.occupancy(siteId, days),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/Dashboard/occupancy', {
          params: { query: { days, ...(siteId === undefined ? {} : { siteId }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
