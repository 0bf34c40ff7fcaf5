import type { Stripe } from '@stripe/stripe-js';
import { queryOptions } from '@tanstack/react-query';

/**
 * The script that takes cards: Stripe.js with Stripe, which is contacted here and nowhere before; else the stand-in
 * that the server has for test payments.
 */
export function cardFormQuery(publishableKey: string, isTest: boolean) {
  return queryOptions({
    queryKey: ['card-form', publishableKey],
    queryFn: () => (isTest ? loadStandIn(publishableKey) : loadStripeJs(publishableKey)),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  });
}

async function loadStripeJs(publishableKey: string): Promise<Stripe> {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe.js needs a browser.');
  return stripe;
}

async function loadStandIn(publishableKey: string): Promise<Stripe> {
  if (!window.Stripe) await loadScript('/dev/stripe/stripe.js');
  if (!window.Stripe) throw new Error('The stand-in of Stripe.js did not start.');
  return window.Stripe(publishableKey);
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`${address} cannot be loaded.`));
    });
    document.head.append(script);
  });
}
