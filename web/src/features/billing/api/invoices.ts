import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { billingKeys } from './subscriptions';

/** The invoices of the given sites of an organization, and of those that were deleted. */
export function historyQuery(organizationId: string, siteIds: string[]) {
  return queryOptions({
    queryKey: [...billingKeys.history(organizationId), siteIds],
    queryFn: ({ signal }) =>
      unwrap(client.POST('/api/Subscriptions/billing', { body: { siteIds, organizationId }, signal })),
  });
}
