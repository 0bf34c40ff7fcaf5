import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** A page of who held a bed, newest first; pages count from 0. The server notes who looked. */
export function bedStaysQuery(siteId: string, bedId: string, page: number, size: number) {
  return queryOptions({
    queryKey: ['sites', siteId, 'bed-stays', bedId, page, size] as const,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/Beds/{id}/stays', {
          params: { path: { id: bedId }, query: { page: page + 1, pageSize: size } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** A page of when a bed was disabled, newest first; pages count from 0. */
export function bedOutagesQuery(siteId: string, bedId: string, page: number, size: number) {
  return queryOptions({
    queryKey: ['sites', siteId, 'bed-outages', bedId, page, size] as const,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/Beds/{id}/outages', {
          params: { path: { id: bedId }, query: { page: page + 1, pageSize: size } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}
