import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
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

/** Cancels the subscription of a site; the paid period stays usable. */
export function useCancelSubscription(organizationId: string) {
  const reload = useReloadBilling(organizationId);
  return useMutation({
    mutationFn: (siteId: string) => unwrap(client.POST('/api/Subscriptions/cancel', { body: { siteId } })),
    onSettled: (_answer, _error, siteId) => reload(siteId),
  });
}
