import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import type { Schemas } from '@/api/client';
import { catalogPrice, savedCard } from '@/testing/billing-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { SubscriptionSteps } from './ui/subscription-steps';

const card = savedCard('0341', { id: 'card', isDefault: true });
const site = { siteId: '1', siteName: 'Alder', organizationId: 'bay', reservationId: 'anna' };

it('a first payment that fails is told to whoever makes it, though the site now has a subscription', async () => {
  let status: Schemas['SubscriptionStatus'] | undefined;
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/api/Stripe/catalog', [
      { productId: 'p', name: 'Berth', description: null, descriptionEs: null, prices: [catalogPrice('month', 1200)] },
    ]),
    answerGet('/api/Subscriptions/savedPaymentMethods', [card]),
    http.get('/api/Subscriptions/site-status', () =>
      status ? HttpResponse.json({ status, isActive: false, paidPeriodEnd: null }) : problem(404, 'None.'),
    ),
    http.post('/api/Subscriptions/site', () => {
      status = 'incomplete';
      return HttpResponse.json(
        { siteId: '1', status, isActive: false, paidPeriodEnd: null, clientSecret: null },
        { status: 201 },
      );
    }),
  );
  const user = currentUser({ role_owner_organization_ids: 'bay', owns_commercial: true });
  const screen = await renderView(<SubscriptionSteps site={site} />, { user });
  await screen.getByRole('button', { name: 'Get Started' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Start the subscription of Alder' });
  await dialog.getByRole('button', { name: 'Review' }).click();
  for (const [box, title] of [
    ['I accept the Terms and Conditions', 'Terms and Conditions'],
    ['I accept the User Agreement', 'User Agreement'],
  ] as const) {
    await screen.getByRole('checkbox', { name: box }).click();
    const text = screen.getByRole('dialog', { name: title });
    const region = text.getByRole('region');
    await expect.poll(() => region.element().scrollHeight).toBeGreaterThan(500);
    region.element().scrollTo(0, region.element().scrollHeight);
    await expect.element(text.getByRole('button', { name: 'Accept' })).not.toHaveAttribute('aria-disabled');
    await text.getByRole('button', { name: 'Accept' }).click();
    await expect.element(screen.getByRole('checkbox', { name: box })).toBeChecked();
  }
  await dialog.getByRole('button', { name: 'Start Subscription' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The payment did not go through.');
  await expect.element(dialog.getByRole('button', { name: 'Restart Subscription' })).toBeVisible();
});
