import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { BillingPage } from '@/pages/billing-page';
import { expectNoViolations } from '@/testing/axe';
import { catalogPrice, savedCard, subscriptionSummary } from '@/testing/billing-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import {
  expectButtonsWhole,
  expectNoSidewaysScroll,
  expectWhole,
  restoreScreen,
  SMALL_SCREENS,
  useSmallScreen,
} from '@/testing/small-screen';
import '@/testing/stand-in';

beforeEach(() => {
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/api/Organizations/bay', organization('bay', { isCommercial: true })),
    answerGet('/api/Organizations/free', organization('free')),
    http.post('/api/Subscriptions/billing', () => HttpResponse.json([])),
  );
});
afterEach(async () => {
  cleanNotifications();
  await page.viewport(1360, 900);
});

const nothing = { isActive: false, nextInvoiceDate: null, paidPeriodEnd: null, totalInvoice: null, card: null };

/** The server with these subscriptions; a change is made by `change`. */
function serveSites(...sites: Schemas['SubscriptionSummary'][]) {
  let now = sites;
  serve(http.get('/api/Subscriptions/sites', () => HttpResponse.json(now)));
  return (siteId: string, fields: Partial<Schemas['SubscriptionSummary']>) => {
    now = now.map((site) => (site.siteId === siteId ? { ...site, ...fields } : site));
  };
}

const owner = currentUser({ role_owner_organization_ids: 'bay,free', owns_commercial: true });

const show = (organizationId = 'bay', reservation?: string, subscribe?: string) =>
  renderView(
    <Suspense fallback="…">
      <BillingPage organizationId={organizationId} reservation={reservation} subscribe={subscribe} />
    </Suspense>,
    { user: owner, path: `/payment-details/${organizationId}${subscribe ? `?subscribe=${subscribe}` : ''}` },
  );

type Screen = Awaited<ReturnType<typeof show>>;

const rowsOf = (screen: Screen, table: string) =>
  screen
    .getByRole('table', { name: table })
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent));

it('leads back to the reservation that waits for a payment', async () => {
  serveSites(subscriptionSummary('a'));
  const screen = await show('bay', 'anna');
  await expect.element(screen.getByText('A reservation is waiting')).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Credit cards' }))
    .toHaveAttribute('href', '/cards/bay?reservation=anna');
  await screen.getByRole('button', { name: 'Back to the reservation' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations-request/anna');
});

it('opens the plans of the site that a card was saved for, and forgets it when they are closed', async () => {
  serveSites(
    subscriptionSummary('alder', { ...nothing, status: 'none' }),
    subscriptionSummary('birch', { ...nothing, status: 'none' }),
  );
  serve(answerGet('/api/Stripe/catalog', []), answerGet('/api/Subscriptions/savedPaymentMethods', []));
  const screen = await show('bay', undefined, 'alder');
  const plans = screen.getByRole('dialog', { name: 'Start the subscription of Site alder' });
  await expect.element(plans).toBeVisible();
  await plans.getByRole('button', { name: 'Close' }).click();
  await expect.element(plans).not.toBeInTheDocument();
  await expect.poll(() => screen.router.state.location.search).toEqual({});
});

it('opens no plans for a site whose subscription runs', async () => {
  serveSites(subscriptionSummary('alder'));
  const screen = await show('bay', undefined, 'alder');
  await expect.element(screen.getByRole('table', { name: 'Subscription Summary' })).toBeVisible();
  expect(screen.getByRole('dialog').elements()).toEqual([]);
});

describe('the subscription summary', () => {
  it('shows site, next invoice, total, status, card and the action of each status', async () => {
    serveSites(
      subscriptionSummary('1'),
      subscriptionSummary('2', { ...nothing, status: 'trialing' }),
      subscriptionSummary('3', { ...nothing, status: 'incomplete' }),
      subscriptionSummary('4', { ...nothing, status: 'incomplete_expired' }),
      subscriptionSummary('5', { ...nothing, status: 'past_due' }),
      subscriptionSummary('6', { ...nothing, status: 'unpaid' }),
      subscriptionSummary('7', { status: 'canceled', nextInvoiceDate: null, totalInvoice: null }),
      subscriptionSummary('8', { ...nothing, status: 'none', siteName: ' ' }),
    );
    const screen = await show();
    await expect.element(screen.getByRole('table', { name: 'Subscription Summary' })).toBeVisible();
    const none = ['N/A', 'N/A'];
    expect(rowsOf(screen, 'Subscription Summary')).toEqual([
      ['Site 1', 'Dec 10, 2026', '$1,200.00', 'Active', 'Visa ending in 4242', 'Cancel Subscription'],
      ['Site 2', ...none, 'Trialing', 'N/A', ''],
      ['Site 3', ...none, 'Incomplete – Action Needed', 'N/A', 'Restart Subscription'],
      ['Site 4', ...none, 'Expired – Restart Required', 'N/A', 'Restart Subscription'],
      ['Site 5', ...none, 'Past Due – Payment Failed', 'N/A', 'Restart Subscription'],
      ['Site 6', ...none, 'Unpaid – SuspendedPay the open invoice in Billing History.', 'N/A', ''],
      ['Site 7', ...none, 'CanceledPaid until Dec 10, 2026', 'Visa ending in 4242', 'Start Subscription'],
      ['No Name Available', ...none, 'N/A', 'N/A', 'Start Subscription'],
    ]);
    await expectNoViolations();
    await page.viewport(390, 844);
    await expect.element(screen.getByRole('list', { name: 'Subscription Summary' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await expectNoViolations();
  });

  it('and the billing history say that there is nothing', async () => {
    serveSites();
    const screen = await show();
    await expect.element(screen.getByText('No subscriptions found.')).toBeVisible();
    await expect.element(screen.getByText('No billing history.')).toBeVisible();
  });

  it('that cannot be loaded says why and is loaded again', async () => {
    serve(http.get('/api/Subscriptions/sites', () => problem(503, 'The service is busy.')));
    const screen = await show();
    await expect.element(screen.getByText('The service is busy.')).toBeVisible();
    serveSites();
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('No subscriptions found.')).toBeVisible();
  });

  it('is not there for a non-commercial organization', async () => {
    const screen = await show('free');
    await expect
      .element(screen.getByText('This organization is non-commercial, therefore you do not need a subscription.'))
      .toBeVisible();
    expect(screen.getByText('Subscription Summary').query()).toBeNull();
  });
});

it('the billing history links to invoice and receipt in new tabs, and to web pages only', async () => {
  serveSites(subscriptionSummary('1'));
  const item: Schemas['BillingItem'] = {
    invoiceId: 'in_1',
    invoiceNumber: 'BRTH-0001',
    date: '2026-11-10T12:00:00Z',
    description: 'Berth, monthly',
    amount: 1200,
    currency: 'usd',
    status: 'paid',
    hostedInvoiceUrl: 'https://pay.example/in_1',
    receiptUrl: 'https://pay.example/receipt_1',
  };
  const bad = {
    invoiceId: 'in_2',
    invoiceNumber: null,
    status: 'open',
    hostedInvoiceUrl: 'javascript:x',
    receiptUrl: null,
  };
  const asked: unknown[] = [];
  serve(
    http.post('/api/Subscriptions/billing', async ({ request }) => {
      asked.push(await request.json());
      const items = [item, { ...item, ...bad, date: '2026-10-10T12:00:00Z' }];
      return HttpResponse.json([{ siteId: '1', siteName: 'Site 1', items }]);
    }),
  );
  const screen = await show();
  await expect.element(screen.getByRole('table', { name: 'Billing History' })).toBeVisible();
  expect(asked).toEqual([{ siteIds: ['1'], organizationId: 'bay' }]);
  // Stripe keeps one text, whatever the language of the screen.
  await expect.element(screen.getByText('Berth, monthly').first()).toHaveAttribute('lang', 'en');
  expect(rowsOf(screen, 'Billing History')).toEqual([
    ['BRTH-0001', 'Nov 10, 2026', 'Berth, monthlySite 1', '$1,200.00', 'Paid', 'InvoiceReceipt'],
    ['in_2', 'Oct 10, 2026', 'Berth, monthlySite 1', '$1,200.00', 'Open', ''],
  ]);
  const invoice = screen.getByRole('link', { name: 'Invoice BRTH-0001, opens in a new tab' });
  await expect.element(invoice).toHaveAttribute('href', 'https://pay.example/in_1');
  await expect.element(invoice).toHaveAttribute('target', '_blank');
  const receipt = screen.getByRole('link', { name: 'Receipt for BRTH-0001, opens in a new tab' });
  await expect.element(receipt).toHaveAttribute('href', 'https://pay.example/receipt_1');
  await expectNoViolations();
});

const invoiceOf = (siteId: string, date: string, amount: number) => ({
  invoiceId: `in_${siteId}${date}`,
  invoiceNumber: null,
  hostedInvoiceUrl: null,
  receiptUrl: null,
  date: `${date}T12:00:00Z`,
  description: 'Standard',
  amount,
  currency: 'usd',
  status: 'paid',
});

it('keeps the invoices of a site that was deleted, also of the last one', async () => {
  const item = { ...invoiceOf('gone', '2026-11-10', 1200), invoiceNumber: 'BRTH-0009' };
  serve(
    answerGet('/api/Subscriptions/sites', []),
    http.post('/api/Subscriptions/billing', () =>
      HttpResponse.json([{ siteId: 'gone', siteName: 'Long Beach', items: [item] }]),
    ),
  );
  const screen = await show();
  await expect.element(screen.getByRole('table', { name: 'Billing History' })).toBeVisible();
  expect(rowsOf(screen, 'Billing History')).toEqual([
    ['BRTH-0009', 'Nov 10, 2026', 'StandardLong Beach', '$1,200.00', 'Paid', ''],
  ]);
});

describe('what was paid per month', () => {
  const answerBilling = (...sites: [siteId: string, ...items: Schemas['BillingItem'][]][]) =>
    serve(
      http.post('/api/Subscriptions/billing', () =>
        HttpResponse.json(sites.map(([siteId, ...items]) => ({ siteId, siteName: `Site ${siteId}`, items }))),
      ),
    );

  it('is shown for several sites, and as a table', async () => {
    serveSites(subscriptionSummary('a'), subscriptionSummary('b'));
    answerBilling(
      ['a', invoiceOf('a', '2026-10-15', 1350), invoiceOf('a', '2026-08-15', 1350)],
      ['b', invoiceOf('b', '2026-10-16', 1450)],
    );
    const screen = await show();
    await screen.getByText('Show as a table').click();
    const table = screen.getByRole('table', { name: 'Paid per month' });
    await expect.element(table).toBeVisible();
    const texts = [...table.element().querySelectorAll('tr')].map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => cell.textContent),
    );
    expect(texts).toEqual([
      ['Month', 'Site a', 'Site b', 'All sites'],
      ['October 2026', '$1,350.00', '$1,450.00', '$2,800.00'],
      ['September 2026', '$0.00', '$0.00', '$0.00'],
      ['August 2026', '$1,350.00', '$0.00', '$1,350.00'],
    ]);
    await expectNoViolations(screen.container);
  });

  it('is not shown where only one site has paid', async () => {
    serveSites(subscriptionSummary('a'), subscriptionSummary('b'));
    answerBilling(['a', invoiceOf('a', '2026-10-15', 1350)], ['b']);
    const screen = await show();
    await expect.element(screen.getByRole('cell', { name: 'in_a2026-10-15' })).toBeVisible();
    await expect.element(screen.getByText('Paid per month')).not.toBeInTheDocument();
  });
});

describe('a subscription', () => {
  const changed = (fields: Partial<Schemas['ChangedSubscription']>): Schemas['ChangedSubscription'] => ({
    siteId: '1',
    status: 'active',
    isActive: true,
    paidPeriodEnd: null,
    clientSecret: null,
    ...fields,
  });

  it('is canceled after a question; a failure is shown, and two clicks send one request', async () => {
    const change = serveSites(subscriptionSummary('1'));
    let sent = 0;
    let release: () => void = () => undefined;
    const message = 'This subscription cannot be canceled now.';
    serve(
      http.post('/api/Subscriptions/cancel', () => problem(409, message), { once: true }),
      http.post('/api/Subscriptions/cancel', async () => {
        sent += 1;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        change('1', { status: 'canceled' });
        return HttpResponse.json(changed({ status: 'canceled' }));
      }),
    );
    const screen = await show();
    await screen.getByRole('button', { name: 'Cancel Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Cancel this subscription?' });
    await expect
      .element(dialog)
      .toHaveTextContent('It can accept reservations from the public search until Dec 10, 2026.');
    const button = dialog.getByRole('button', { name: 'Cancel Subscription' });
    await button.click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(message);
    await expectNoViolations();
    await expect.element(button).toBeEnabled();
    const element = button.element();
    if (element instanceof HTMLElement) {
      element.click();
      element.click();
    }
    await expect.poll(() => sent).toBe(1);
    await expect.element(button).toBeDisabled();
    release();
    await expect.element(screen.getByText('The subscription of Site 1 is canceled.')).toBeVisible();
    await expect.poll(() => rowsOf(screen, 'Subscription Summary')[0]?.[3]).toContain('Canceled');
    expect(sent).toBe(1);
  });

  describe('of which the answer to the cancellation was lost', () => {
    const status = (now: Schemas['SubscriptionStatus']) =>
      answerGet('/api/Subscriptions/site-status', { status: now, isActive: true, paidPeriodEnd: null });
    const press = async (answer: () => Response) => {
      const change = serveSites(subscriptionSummary('1'));
      serve(
        http.post('/api/Subscriptions/cancel', () => {
          change('1', { status: 'canceled' });
          return answer();
        }),
      );
      const screen = await show();
      await screen.getByRole('button', { name: 'Cancel Subscription: Site 1' }).click();
      const dialog = screen.getByRole('dialog', { name: 'Cancel this subscription?' });
      const confirm = dialog.getByRole('button', { name: 'Cancel Subscription' });
      await confirm.click();
      return { screen, dialog, confirm };
    };

    it('is told as canceled if its status says so', async () => {
      serve(status('canceled'));
      const { screen, dialog } = await press(() => HttpResponse.error());
      await expect.element(screen.getByText('The subscription of Site 1 is canceled.')).toBeVisible();
      await expect.element(dialog).not.toBeInTheDocument();
    });

    it('is told as canceled by a second press that finds nothing to cancel', async () => {
      let presses = 0;
      serve(status('active'));
      const { screen, dialog, confirm } = await press(() => {
        presses += 1;
        return presses === 1 ? HttpResponse.error() : problem(409, 'This site has no subscription to cancel.');
      });
      await expect.element(dialog.getByRole('alert')).toHaveTextContent('The server cannot be reached.');
      serve(status('canceled'));
      await confirm.click();
      await expect.element(screen.getByText('The subscription of Site 1 is canceled.')).toBeVisible();
      await expect.element(dialog).not.toBeInTheDocument();
    });
  });

  it('is restarted; a declined card says so in the bank’s words', async () => {
    const change = serveSites(subscriptionSummary('1', { status: 'past_due' }));
    serve(
      http.post('/api/Subscriptions/restart', () => problem(409, 'Your card was declined.'), { once: true }),
      http.post('/api/Subscriptions/restart', () => {
        change('1', { status: 'active' });
        return HttpResponse.json(changed({}));
      }),
      answerGet('/api/Subscriptions/site-status', { status: 'past_due', isActive: false, paidPeriodEnd: null }),
    );
    const screen = await show();
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Your card was declined.');
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await expect.element(screen.getByText('The subscription of Site 1 is active.')).toBeVisible();
    await expect.poll(() => rowsOf(screen, 'Subscription Summary')[0]?.[3]).toBe('Active');
  });

  it('names the open amount and the card before it is restarted, and starts on the answer that charges nothing', async () => {
    serveSites(subscriptionSummary('1', { status: 'past_due' }));
    const open = {
      invoiceId: 'in_2',
      invoiceNumber: null,
      date: '2026-11-10T12:00:00Z',
      description: 'Berth',
      amount: 1350,
      currency: 'usd',
      status: 'open',
      hostedInvoiceUrl: null,
      receiptUrl: null,
    };
    serve(
      http.post('/api/Subscriptions/billing', () =>
        HttpResponse.json([
          { siteId: '1', siteName: 'Site 1', items: [open, { ...open, invoiceId: 'in_1', amount: 9 }] },
        ]),
      ),
      answerGet('/api/Subscriptions/savedPaymentMethods', [
        { id: 'a', brand: 'visa', lastFourDigits: '4242', isDefault: false },
        { id: 'b', brand: 'mastercard', lastFourDigits: '4444', isDefault: true },
      ]),
    );
    const screen = await show();
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    await expect.element(dialog.getByText('$1,350.00')).toBeVisible();
    await expect.element(dialog.getByText('Mastercard ending in 4444')).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  });

  it('has its buttons in one place while amount and card are still on their way', async () => {
    serveSites(subscriptionSummary('1', { status: 'incomplete_expired', stripePriceId: 'price_month' }));
    const releases = new Map<'amount' | 'card', () => void>();
    const held = (what: 'amount' | 'card') => new Promise<void>((resolve) => releases.set(what, resolve));
    const plan = { productId: 'p', name: 'Berth', description: null, descriptionEs: null };
    serve(
      http.get('/api/Stripe/catalog', async () => {
        await held('amount');
        return HttpResponse.json([{ ...plan, prices: [catalogPrice('month', 1350)] }]);
      }),
      http.get('/api/Subscriptions/savedPaymentMethods', async () => {
        await held('card');
        return HttpResponse.json([savedCard('4242')]);
      }),
    );
    const screen = await show();
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    const button = dialog.getByRole('button', { name: 'Restart Subscription' });
    await expect.element(button).toBeVisible();
    // In the middle of the page, a dialog that grows moves its buttons. As it is laid out: it opens with a movement.
    const element = dialog.element();
    if (!(element instanceof HTMLElement)) throw new Error('The dialog is no HTML element.');
    const before = element.offsetHeight;
    for (const [what, text] of [
      ['amount', '$1,350.00'],
      ['card', 'Visa ending in 4242'],
    ] as const) {
      await expect.poll(() => releases.has(what)).toBe(true);
      releases.get(what)?.();
      await expect.element(dialog.getByText(text)).toBeVisible();
      expect(element.offsetHeight).toBe(before);
    }
  });

  it('leads to the cards while there is none', async () => {
    serveSites(subscriptionSummary('1', { status: 'past_due' }));
    serve(answerGet('/api/Subscriptions/savedPaymentMethods', []));
    const screen = await show();
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    await expect.element(dialog.getByRole('link', { name: 'Add a card' })).toHaveAttribute('href', '/cards/bay');
    // The server would refuse.
    await expect.element(dialog.getByRole('button', { name: 'Restart Subscription' })).not.toBeInTheDocument();
  });

  it('that is paid makes the note about the waiting reservation say so', async () => {
    serveSites(subscriptionSummary('1', { status: 'past_due' }));
    serve(http.post('/api/Subscriptions/restart', () => HttpResponse.json(changed({}))));
    const screen = await show('bay', 'anna');
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await expect
      .element(screen.getByText('The payment went through. Go back and accept the reservation.'))
      .toBeVisible();
  });

  it('that stays unpaid asks for another card', async () => {
    serveSites(subscriptionSummary('1', { status: 'incomplete' }));
    serve(http.post('/api/Subscriptions/restart', () => HttpResponse.json(changed({ status: 'incomplete' }))));
    const screen = await show();
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent('The payment did not go through. Add another card');
  });

  it('waits for the cardholder where the bank asks, and asks for the status then', async () => {
    const change = serveSites(subscriptionSummary('1', { status: 'incomplete' }));
    const calls: string[] = [];
    serve(
      http.post('/api/Subscriptions/restart', () =>
        HttpResponse.json(changed({ status: 'incomplete', clientSecret: 'pi_1_secret_2' })),
      ),
      answerGet('/dev/stripe/v1/payment_intents/pi_1', { id: 'pi_1', status: 'requires_action' }),
      http.post('/dev/stripe/v1/payment_intents/pi_1/confirm', () => {
        calls.push('confirm');
        return HttpResponse.json({ id: 'pi_1', status: 'requires_action' });
      }),
      http.post('/dev/stripe/authenticate/pi_1', async ({ request }) => {
        calls.push(await request.text());
        change('1', { status: 'active' });
        return HttpResponse.json({ id: 'pi_1', status: 'succeeded' });
      }),
      http.get('/api/Subscriptions/site-status', () => {
        calls.push('status');
        return HttpResponse.json({ status: 'active', isActive: true, paidPeriodEnd: null });
      }),
    );
    const screen = await show();
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await screen.getByRole('button', { name: 'Complete authentication' }).click();
    await expect.element(screen.getByText('The subscription of Site 1 is active.')).toBeVisible();
    expect(calls).toEqual(['confirm', 'client_secret=pi_1_secret_2&agreed=true', 'status']);
  });

  it('whose cardholder refuses says so', async () => {
    serveSites(subscriptionSummary('1', { status: 'incomplete' }));
    const error = { type: 'card_error', message: 'We are unable to authenticate your payment method.' };
    serve(
      http.post('/api/Subscriptions/restart', () =>
        HttpResponse.json(changed({ status: 'incomplete', clientSecret: 'pi_1_secret_2' })),
      ),
      answerGet('/dev/stripe/v1/payment_intents/pi_1', { id: 'pi_1', status: 'requires_action' }),
      http.post('/dev/stripe/v1/payment_intents/pi_1/confirm', () => HttpResponse.json({ error }, { status: 402 })),
    );
    const screen = await show();
    await screen.getByRole('button', { name: 'Restart Subscription: Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Restart this subscription?' });
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(error.message);
  });
});

describe.each(SMALL_SCREENS)('at $width px with letters of $letters %', (screenSize) => {
  beforeEach(() => useSmallScreen(screenSize));
  afterEach(restoreScreen);

  it('states and buttons are whole, and the page does not scroll sideways', async () => {
    serveSites(
      subscriptionSummary('a', { siteName: 'Harbor Light Anaheim Detox', status: 'past_due' }),
      subscriptionSummary('b', { ...nothing, status: 'canceled' }),
    );
    const screen = await show();
    const state = screen.getByText('Past Due – Payment Failed');
    await expect.element(state).toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: /^Restart/ })).toBeInTheDocument();
    expectWhole(state.element());
    expectButtonsWhole();
    expectNoSidewaysScroll();
  });
});
