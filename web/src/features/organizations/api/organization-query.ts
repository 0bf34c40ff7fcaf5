import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { organizationKeys } from './keys';

/** One organization (spec A section 7). */
export function organizationQuery(organizationId: string) {
  return queryOptions({
    queryKey: organizationKeys.one(organizationId),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Organizations/{id}', { params: { path: { id: organizationId } }, signal })),
  });
}
