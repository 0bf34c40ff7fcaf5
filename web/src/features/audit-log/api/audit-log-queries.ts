import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import type { AuditPage } from '../audit-log.utils';
import { auditLogKeys } from './keys';

/** A trail grows all the time; what is older than this is asked for again when it is shown. */
const FRESH_FOR = 10_000;

/** The query of a list call, by the names of the spec; the server counts pages from 1. */
const queryOf = ({ page, size }: AuditPage) => ({ PageNumber: page + 1, PageSize: size });

/** A page of everything on record, newest first, as all of these. */
export const trailQuery = (page: AuditPage) =>
  queryOptions({
    queryKey: auditLogKeys.list('internal', page),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/EventLogs/internal', { params: { query: queryOf(page) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_FOR,
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
