import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** The people who wait for a bed at a site, in the order in which they are asked. A live event of the site loads it again. */
export function waitlistQuery(siteId: string) {
  return queryOptions({
    queryKey: ['sites', siteId, 'waitlist'] as const,
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Sites/{id}/waitlist', { params: { path: { id: siteId } }, signal })),
    staleTime: 0,
  });
}
