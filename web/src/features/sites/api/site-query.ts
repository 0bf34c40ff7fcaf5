import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { siteKeys } from './keys';

/** One site with its houses, beds and their guests (spec B section 7). */
export function siteQuery(siteId: string) {
  return queryOptions({
    queryKey: siteKeys.details(siteId),
    queryFn: ({ signal }) => unwrap(client.GET('/api/Sites/{id}', { params: { path: { id: siteId } }, signal })),
  });
}
