import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '@/api/client';
import { interimClient } from './interim';
import { accessUserKeys } from './keys';
import type { AccessUser } from './types';

/** Who has a role at a site, with what the caller may do to each (spec A section 7). */
export function siteUsersQuery(siteId: string) {
  return queryOptions({
    queryKey: accessUserKeys.ofSite(siteId),
    queryFn: ({ signal }): Promise<readonly AccessUser[]> =>
      unwrap(interimClient.GET('/api/AccessUsers/siteScopeUsers', { params: { query: { siteId } }, signal })),
  });
}
