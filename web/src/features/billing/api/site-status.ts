import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { NotFoundError } from '@/api/errors';
import { billingKeys } from './subscriptions';

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

/** Asks for the present subscription of a site; null if it never had one. */
export function loadSiteStatus(queryClient: QueryClient, siteId: string): Promise<Schemas['SiteSubscription'] | null> {
  // Without a network it fails at once, and the change does not wait for it.
  return queryClient.fetchQuery({ ...siteStatusQuery(siteId), staleTime: 0, networkMode: 'always' });
}
