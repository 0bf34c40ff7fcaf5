import type { Stripe } from '@stripe/stripe-js';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { isOutcomeUnknown } from '@/api/errors';
import { orMadeAlready } from '@/api/lost-answer';
import { cardFormQuery } from '@/features/cards/api/card-form';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import { actionOf } from '../billing.utils';
import { useReloadBilling } from './change-subscription';
import { loadSiteStatus } from './site-status';

type Status = Schemas['SiteSubscription'];

/** How a subscription is after a payment. */
type PaymentOutcome = Status & {
  /** The cardholder has confirmed the payment at the bank; the server may hear of it later. */
  isConfirmed?: boolean;
};

/** What the bank or the card provider says about a payment, in its own words. */
export class PaymentRefusal extends Error {
  override name = 'PaymentRefusal';
}

/** The answer was lost, and the subscription now waits for a payment that is still open. */
export class OpenPaymentError extends Error {
  override name = 'OpenPaymentError';
}

/** Number of times, and milliseconds between them, that the status is asked for after the cardholder confirmed. */
const [STATUS_CHECKS, CHECK_INTERVAL_MILLISECONDS] = [8, 1000];

/** Pays what is open for a site. Resolves with the status once the bank has answered. */
export function useRestartSubscription(organizationId: string) {
  const pay = usePayment();
  const reload = useReloadBilling(organizationId);
  return useMutation({
    mutationFn: (siteId: string) =>
      pay(siteId, () => unwrap(client.POST('/api/Subscriptions/restart', { body: { siteId } }))),
    onSettled: (_answer, _error, siteId) => reload(siteId),
  });
}

/**
 * Holds the reservations of a site while its owner adds a card or chooses a plan. The screen does not wait for it, and a failure
 * is not shown: the payment itself extends holds, too.
 */
export function useHoldReservations() {
  return useMutation({
    mutationFn: (siteId: string) => unwrap(client.POST('/api/Subscriptions/hold', { body: { siteId } })),
  });
}

/**
 * Returns a function that sends a change which may charge a card, has the cardholder confirm where the bank asks, and
 * then asks for the status. If the answer to the change is lost, the status tells whether it was made.
 */
export function usePayment() {
  const queryClient = useQueryClient();
  const settings = usePublicSettings();
  return async (siteId: string, send: () => Promise<Schemas['ChangedSubscription']>): Promise<PaymentOutcome> => {
    const changed = await orMadeAlready(send, async (failure) => {
      const now = await loadSiteStatus(queryClient, siteId).catch(() => null);
      if (now && isPaid(now)) return { ...now, siteId, clientSecret: null };
      if (now && actionOf(now.status) === 'restart' && isOutcomeUnknown(failure)) throw new OpenPaymentError();
      return null;
    });
    if (changed.clientSecret === null) return changed;
    const stripe = await queryClient.fetchQuery({
      ...cardFormQuery(settings?.stripePublishableKey ?? '', settings?.testPayments ?? false),
      networkMode: 'always',
    });
    await confirm(stripe, changed.clientSecret);
    return { ...(await confirmedStatus(queryClient, siteId, changed)), isConfirmed: true };
  };
}

/**
 * Has the cardholder confirm a payment.
 *
 * Throws the bank's reason if the card was declined: such a payment needs another attempt and cannot be confirmed.
 */
async function confirm(stripe: Stripe, clientSecret: string): Promise<void> {
  const { paymentIntent, error: unknown } = await stripe.retrievePaymentIntent(clientSecret);
  if (unknown) throw new PaymentRefusal(unknown.message);
  if (paymentIntent.status === 'requires_payment_method') {
    throw new PaymentRefusal(paymentIntent.last_payment_error?.message);
  }
  const { error } = await stripe.confirmCardPayment(clientSecret);
  if (error) throw new PaymentRefusal(error.message);
}

/** Asks until the server knows that the payment came, which the card provider tells it a moment later. */
async function confirmedStatus(queryClient: QueryClient, siteId: string, before: Status): Promise<Status> {
  let status: Status = before;
  for (let check = 0; check < STATUS_CHECKS; check += 1) {
    if (check > 0) await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MILLISECONDS));
    status = (await loadSiteStatus(queryClient, siteId)) ?? before;
    if (isPaid(status)) break;
  }
  return status;
}

/** Returns true if nothing is left to pay; a canceled subscription in its paid period is not meant. */
export function isPaid({ status }: Pick<Status, 'status'>): boolean {
  return status === 'active' || status === 'trialing';
}
