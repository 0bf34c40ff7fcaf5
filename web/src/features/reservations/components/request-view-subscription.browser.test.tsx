import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { guest } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { openRequest, site, tearDownRequest } from '@/testing/open-request';
import { problem, serve } from '@/testing/server';

afterEach(tearDownRequest);

describe('a reservation from the search at a site without an active subscription', () => {
  const web = guest('web', { firstName: 'Wanda', lastName: 'W', source: 'Web' });
  const paying = { ...site, isCommercial: true };
  const ownerOfSite = currentUser({ role_owner_organization_ids: 'o1', owns_commercial: true });
  const card = {
    id: 'card',
    brand: 'visa',
    lastFourDigits: '4242',
    isDefault: true,
    expirationDate: '4/40',
    formattedExpirationDate: '4/40',
  };
  const status = (answer: () => Response) => serve(http.get('/api/Subscriptions/site-status', answer));
  /** Sites whose reservations were held for a payment. */
  let held: string[] = [];
  const cards = (...saved: (typeof card)[]) => {
    held = [];
    serve(
      http.post<never, { siteId: string }>('/api/Subscriptions/hold', async ({ request }) => {
        held.push((await request.json()).siteId);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    serve(http.get('/api/Subscriptions/savedPaymentMethods', () => HttpResponse.json(saved)));
  };

  it('tells others than owners to ask one, before a bed is chosen', async () => {
    status(() => problem(404, 'Not found.'));
    const { screen } = await openRequest({ of: web, at: paying });
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Ask an owner of Harbor Recovery');
    expect(screen.getByRole('radio').elements()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Get Started' }).query()).toBeNull();
    await expectNoViolations();
  });

  it('says so where a phone shows it, below the guest', async () => {
    await page.viewport(390, 844);
    status(() => problem(404, 'Not found.'));
    const { screen } = await openRequest({ of: web, at: paying });
    const notice = screen.getByRole('alert');
    await expect.element(notice).toBeInTheDocument();
    await expect.poll(() => notice.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
    await expect.poll(() => notice.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(844);
    expect(document.activeElement?.contains(notice.element())).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('leads an owner without a card to the credit cards', async () => {
    status(() => problem(404, 'Not found.'));
    cards();
    const { screen } = await openRequest({ of: web, at: paying, user: ownerOfSite });
    await expect
      .element(screen.getByRole('link', { name: 'Add a card' }))
      .toHaveAttribute('href', '/cards/o1?reservation=web');
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('Add a card first, then start the subscription of Harbor House.');
    const call = screen.getByRole('link', { name: '(714) 555-0100' });
    await expect.element(call).toHaveAttribute('href', 'tel:+17145550100');
  });

  it('leads an owner with an open payment to Billing', async () => {
    status(() => HttpResponse.json({ status: 'past_due', isActive: false, paidPeriodEnd: null }));
    cards(card);
    const { screen } = await openRequest({ of: web, at: paying, user: ownerOfSite });
    const link = screen.getByRole('link', { name: 'Open Billing' });
    await expect.element(link).toHaveAttribute('href', '/payment-details/o1?reservation=web');
  });

  it.each([
    ['past_due', 'The last payment for Harbor House did not go through. Open Billing and restart the subscription.'],
    ['unpaid', 'Open Billing and pay the open invoice in Billing History.'],
  ])('tells an owner what to do about a subscription that is %s', async (now, text) => {
    status(() => HttpResponse.json({ status: now, isActive: false, paidPeriodEnd: null }));
    cards(card);
    const { screen } = await openRequest({ of: web, at: paying, user: ownerOfSite });
    await expect.element(screen.getByRole('link', { name: 'Open Billing' })).toBeVisible();
    await expect.element(screen.getByRole('alert')).toHaveTextContent(text);
    await expect.element(screen.getByText(/can start the subscription/)).not.toBeInTheDocument();
  });

  it('lets an owner with a card start the subscription, and then choose a bed on the same page', async () => {
    let now: Response = problem(404, 'Not found.');
    status(() => now.clone());
    cards(card);
    const { screen } = await openRequest({ of: web, at: paying, user: ownerOfSite });
    serve(http.get('/api/Stripe/catalog', () => HttpResponse.json([])));
    const getStarted = screen.getByRole('button', { name: 'Get Started' });
    await expect.element(getStarted).toBeVisible();
    expect(held).toEqual([]);
    await getStarted.click();
    await expect.element(screen.getByText('No plans are offered right now.')).toBeVisible();
    await expect.poll(() => held).toEqual([paying.id]);
    await userEvent.keyboard('{Escape}');
    now = HttpResponse.json({ status: 'active', isActive: true, paidPeriodEnd: null });
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', paying.id] });
    await expect.element(screen.getByRole('heading', { name: '2 vacant beds' })).toBeVisible();
  });

  it('402 at the last moment holds until the subscription is active; the chosen bed then takes the same accept', async () => {
    let now: Response = HttpResponse.json({ status: 'active', isActive: true, paidPeriodEnd: null });
    status(() => now.clone());
    const { screen, sent, choose } = await openRequest({
      of: web,
      at: paying,
      answer: (_update, time) => (time === 1 ? problem(402, 'A subscription is needed.') : undefined),
    });
    await choose('Bed b, House 1, Detox');
    const active = now;
    now = HttpResponse.json({ status: 'canceled', isActive: false, paidPeriodEnd: null });
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Accepting needs an active subscription');
    await expect.element(screen.getByRole('radio').first()).not.toBeInTheDocument();
    now = active;
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', paying.id] });
    await expect.element(screen.getByRole('radio', { name: 'Bed b, House 1, Detox' })).toBeChecked();
    expect(screen.getByRole('alert').query()).toBeNull();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByText('Wanda W. is now in House 1 / Bed b.')).toBeVisible();
    expect(sent.map(({ bedId }) => bedId)).toEqual(['b', 'b']);
  });

  it('shows the beds when the status cannot be loaded: the server decides', async () => {
    status(() => problem(503, 'The service is busy.'));
    const { screen } = await openRequest({ of: web, at: paying });
    await expect.element(screen.getByRole('heading', { name: '2 vacant beds' })).toBeVisible();
  });
});
