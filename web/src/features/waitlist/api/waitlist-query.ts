import { queryOptions } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

/** The people who wait for a bed at a site, in the order in which they are asked. A live event of the site loads it again. */
export function waitlistQuery(siteId: string) {
  return queryOptions({
    queryKey: ['sites', siteId, 'waitlist'] as const,
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Sites/{id}/waitlist', { params: { path: { id: siteId } }, signal })),
    staleTime: 0,
  });
}

/**
 * The form of a person on the waitlist, for the version that the list shows. Each look is recorded, so it is loaded again only
 * if the person has changed; until then the older version of the same person stands in its place.
 */
export function waitingFormQuery(id: string, version: number | undefined) {
  return queryOptions({
    queryKey: ['waiting-form', id, version] as const,
    queryFn: ({ signal }) => unwrap(client.GET('/api/Waitlist/{id}', { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (
      before: Schemas['WaitingGuestForm'] | undefined,
      query,
    ): Schemas['WaitingGuestForm'] | undefined => (query?.queryKey[1] === id ? before : undefined),
  });
}
