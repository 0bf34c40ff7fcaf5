import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** The reasons that can be chosen for declines and discharges at a site, by kind and name. */
export function siteReasonsQuery(siteId: string) {
  return queryOptions({
    queryKey: ['sites', siteId, 'reasons'] as const,
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Sites/{id}/reasons', { params: { path: { id: siteId } }, signal })),
  });
}
