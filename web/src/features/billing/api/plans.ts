import { queryOptions, useMutation } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { usePayment } from './pay';
import { useReloadBilling } from './change-subscription';

/** The plans that can be bought now (spec B section 7, catalog). */
export const catalogQuery = queryOptions({
  queryKey: ['billing-catalog'],
  queryFn: ({ signal }) => unwrap(client.GET('/api/Stripe/catalog', { signal })),
});

/** Asks whether a promo code is valid for an organization. */
export function useCheckCoupon(organizationId: string) {
  return useMutation({
    mutationFn: (couponCode: string) =>
      unwrap(client.POST('/api/Stripe/coupon', { body: { couponCode, organizationId } })),
  });
}

/** Starts the subscription of a site. Resolves with the status once the bank has answered. */
export function useStartSubscription(organizationId: string) {
  const pay = usePayment();
  const reload = useReloadBilling(organizationId);
  return useMutation({
    mutationFn: (plan: Schemas['NewSubscription']) =>
      pay(plan.siteId, () => unwrap(client.POST('/api/Subscriptions/site', { body: plan }))),
    onSettled: (_answer, _error, { siteId }) => reload(siteId),
  });
}
