import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** Keys of billing queries; the status of a site is refreshed with the site. */
export const billingKeys = {
  organization: (organizationId: string) => ['billing', organizationId] as const,
  summary: (organizationId: string) => ['billing', organizationId, 'summary'] as const,
  history: (organizationId: string) => ['billing', organizationId, 'history'] as const,
  status: (siteId: string) => ['sites', siteId, 'subscription'] as const,
};

/** The subscription of each site of an organization (spec B section 7). */
export function summaryQuery(organizationId: string) {
  return queryOptions({
    queryKey: billingKeys.summary(organizationId),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Subscriptions/sites', { params: { query: { organizationId } }, signal })),
  });
}
