import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { type AuditPage, type TrailFilter, trailQueryOf } from '../audit-log.utils';
import { auditLogKeys } from './keys';

/** A trail grows all the time; what is older than this is asked for again when it is shown. */
const FRESH_FOR = 10_000;

/** The query of a list call, by the names of the spec; the server counts pages from 1. */
const queryOf = ({ page, size }: AuditPage) => ({ PageNumber: page + 1, PageSize: size });

/** A page of everything on record that the filter lets through, newest first, as all of these. */
export const trailQuery = (page: AuditPage, filter: TrailFilter) =>
  queryOptions({
    queryKey: auditLogKeys.trail(page, filter),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/EventLogs/internal', {
          params: { query: { ...queryOf(page), ...trailQueryOf(filter) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });

/** The guests that a row of the trail names beside the one that it is about. */
export const shownGuestsQuery = (id: string) =>
  queryOptions({
    queryKey: auditLogKeys.guests(id),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/EventLogs/internal/{id}/guests', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  });

/** A page of the sign-ins that failed. */
export const failedLoginsQuery = (page: AuditPage) =>
  queryOptions({
    queryKey: auditLogKeys.list('failed', page),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/EventLogs/loginFailed', { params: { query: queryOf(page) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });

/** A page of the guests that came in. */
export const guestCreationsQuery = (page: AuditPage) =>
  queryOptions({
    queryKey: auditLogKeys.list('guests', page),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/EventLogs/guestCreated', { params: { query: queryOf(page) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });

/** A page of the passwords that were set. */
export const passwordChangesQuery = (page: AuditPage) =>
  queryOptions({
    queryKey: auditLogKeys.list('password', page),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/EventLogs/passwordChanged', { params: { query: queryOf(page) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
  });
