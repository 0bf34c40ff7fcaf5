import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** The languages sites may speak; they change only with a new version of the server. */
export const languagesQuery = queryOptions({
  queryKey: ['languages'] as const,
  queryFn: ({ signal }) => unwrap(client.GET('/api/Languages', { signal })),
  staleTime: Infinity,
});

/** The screening periods to choose from. */
export const screeningPeriodsQuery = queryOptions({
  queryKey: ['screening-periods'] as const,
  queryFn: ({ signal }) => unwrap(client.GET('/api/Sites/screeningPeriods', { signal })),
  staleTime: Infinity,
});
