import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { accessUserKeys } from './keys';

/** Who has a role at a site, with what the caller may do to each (spec A section 7). */
export function siteUsersQuery(siteId: string) {
  return queryOptions({
    queryKey: accessUserKeys.ofSite(siteId),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/AccessUsers/siteScopeUsers', { params: { query: { siteId } }, signal })),
  });
}
