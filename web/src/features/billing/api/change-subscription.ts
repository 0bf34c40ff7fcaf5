import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { orMadeAlready } from '@/api/lost-answer';
import { loadSiteStatus } from './site-status';
import { billingKeys } from './subscriptions';

/** Returns a function that loads everything again that a changed subscription shows. */
export function useReloadBilling(organizationId: string) {
  const queryClient = useQueryClient();
  return (siteId: string) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: billingKeys.organization(organizationId) }),
      queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
    ]);
}

/** Cancels the subscription of a site, unless it is canceled by then; the paid period stays usable. */
export function useCancelSubscription(organizationId: string) {
  const queryClient = useQueryClient();
  const reload = useReloadBilling(organizationId);
  return useMutation({
    mutationFn: (siteId: string) =>
      orMadeAlready<Schemas['SiteSubscription']>(
        () => unwrap(client.POST('/api/Subscriptions/cancel', { body: { siteId } })),
        async () => {
          const now = await loadSiteStatus(queryClient, siteId).catch(() => null);
          return now?.status === 'canceled' ? now : null;
        },
      ),
    onSettled: (_answer, _error, siteId) => reload(siteId),
  });
}
