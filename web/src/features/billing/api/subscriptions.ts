import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { NotFoundError } from '@/api/errors';

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

/** The invoices of the given sites, all of one organization. */
export function historyQuery(organizationId: string, siteIds: string[]) {
  return queryOptions({
    queryKey: [...billingKeys.history(organizationId), siteIds],
    queryFn: ({ signal }) => unwrap(client.POST('/api/Subscriptions/billing', { body: { siteIds }, signal })),
  });
}

/** The subscription of a site; null if it never had one (the server answers 404). */
export function siteStatusQuery(siteId: string) {
  return queryOptions({
    queryKey: billingKeys.status(siteId),
    queryFn: async ({ signal }) => {
      try {
        return await unwrap(client.GET('/api/Subscriptions/site-status', { params: { query: { siteId } }, signal }));
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
  });
}
