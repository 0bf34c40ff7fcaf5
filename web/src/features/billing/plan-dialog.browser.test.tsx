import type { QueryClient } from '@tanstack/react-query';
import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { createQueryClient } from '@/app/query-client';
import { changeLanguage } from '@/i18n/i18n';
import { expectNoViolations } from '@/testing/axe';
import { catalogPrice, savedCard } from '@/testing/billing-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import '@/testing/stand-in';
import { PlanDialog } from './ui/plan-dialog';

const card = savedCard('4242', { id: 'card', isDefault: true });
const good: Schemas['CouponAnswer'] = {
  valid: true,
  id: 'WELCOME',
  name: 'Welcome',
  percentOff: 20,
  amountOffInDollars: null,
  duration: 'once',
  durationInMonths: null,
};
const started: Schemas['ChangedSubscription'] = {
  siteId: '1',
  status: 'active',
  isActive: true,
  paidPeriodEnd: null,
  clientSecret: null,
};

let asked: string[] = [];
beforeEach(() => {
  asked = [];
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/api/Stripe/catalog', [
      {
        productId: 'prod',
        name: 'Berth',
        description: null,
        descriptionEs: null,
        prices: [catalogPrice('month', 1200), catalogPrice('year', 12_000)],
      },
    ]),
    answerGet('/api/Subscriptions/savedPaymentMethods', [card]),
    http.post<never, Schemas['CouponQuestion']>('/api/Stripe/coupon', async ({ request }) => {
      const { couponCode } = await request.json();
      asked.push(couponCode);
      return HttpResponse.json(couponCode === 'WELCOME20' ? good : { ...good, valid: false, id: null });
    }),
  );
});
afterEach(async () => {
  cleanNotifications();
  await page.viewport(1360, 900);
});

/** A screen that opens the dialog and notes when the subscription has started. */
function Opener() {
  const [isOpen, setOpen] = useState(false);
  const [hasStarted, setStarted] = useState(false);
  return (
    <main>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {hasStarted ? <p>Started</p> : null}
      <PlanDialog
        subject={isOpen ? { siteId: '1', siteName: 'Alder', organizationId: 'bay' } : null}
        onStarted={() => setStarted(true)}
        onClose={() => setOpen(false)}
      />
    </main>
  );
}

async function open(queryClient?: QueryClient) {
  const user = currentUser({ role_owner_organization_ids: 'bay', owns_commercial: true });
  const screen = await renderView(<Opener />, { user, queryClient });
  await screen.getByRole('button', { name: 'Open' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Start the subscription of Alder' });
  return { screen, dialog };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Reads a text to its end and accepts it. */
async function accept(screen: Opened['screen'], box: string, title: string) {
  await screen.getByRole('checkbox', { name: box }).click();
  const text = screen.getByRole('dialog', { name: title });
  const region = text.getByRole('region');
  await expect.poll(() => region.element().scrollHeight).toBeGreaterThan(500);
  await expect.element(text.getByRole('button', { name: 'Accept' })).toHaveAttribute('aria-disabled', 'true');
  region.element().scrollTo(0, region.element().scrollHeight);
  await expect.element(text.getByRole('button', { name: 'Accept' })).not.toHaveAttribute('aria-disabled');
  await text.getByRole('button', { name: 'Accept' }).click();
  await expect.element(screen.getByRole('checkbox', { name: box })).toBeChecked();
}

const acceptBoth = async (screen: Opened['screen']) => {
  await accept(screen, 'I accept the Terms and Conditions', 'Terms and Conditions');
  await accept(screen, 'I accept the User Agreement', 'User Agreement');
};

describe('a plan', () => {
  it('is described in the language of the screen if it can be, and says which language it is', async () => {
    const plan = {
      productId: 'prod',
      name: 'Berth',
      description: 'For one site.',
      prices: [catalogPrice('month', 1200)],
    };
    serve(answerGet('/api/Stripe/catalog', [{ ...plan, descriptionEs: 'Para un centro.' }]));
    const { dialog } = await open();
    const about = dialog.getByText('For one site.');
    await expect.element(about).toHaveAttribute('lang', 'en');
    await expect.element(dialog.getByText('Para un centro.')).not.toBeInTheDocument();
  });

  it('is chosen by month or year, with what it saves against 1500 dollars a month', async () => {
    const { dialog } = await open();
    const monthly = dialog.getByRole('radio', { name: 'Berth: $1,200.00 per month' });
    await expect.element(monthly).toBeChecked();
    await expect
      .element(monthly)
      .toHaveAccessibleDescription('Saves $300.00 compared with the reference price of $1,500.00 per month.');
    const yearly = dialog.getByRole('radio', { name: 'Berth: $12,000.00 per year' });
    await expect
      .element(yearly)
      .toHaveAccessibleDescription('Saves $6,000.00 compared with the reference price of $18,000.00 per year.');
    await expectNoViolations();
    await page.viewport(390, 844);
    await expectNoViolations();
  });

  it('needs a saved card: without one the dialog leads to the cards', async () => {
    serve(answerGet('/api/Subscriptions/savedPaymentMethods', []));
    const { screen, dialog } = await open();
    await expect.element(dialog.getByText('No saved card')).toBeVisible();
    await dialog.getByRole('link', { name: 'Add a card' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/cards/bay');
    expect(screen.router.state.location.search).toEqual({ subscribe: '1' });
  });

  it('cannot be chosen while the catalog fails, and the failure is shown', async () => {
    serve(http.get('/api/Stripe/catalog', () => problem(503, 'The card provider cannot be reached.'), { once: true }));
    const { dialog } = await open();
    await expect.element(dialog.getByText('The card provider cannot be reached.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.element(dialog.getByRole('radio', { name: /per month/ })).toBeVisible();
  });
});

describe('a promo code', () => {
  it('is checked only when something other than spaces was typed', async () => {
    const { dialog } = await open();
    const field = dialog.getByRole('textbox', { name: 'Promo code' });
    await field.fill('   ');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await expect.element(dialog.getByText('Total')).toBeVisible();
    expect(asked).toEqual([]);
  });

  it('counts trimmed, or is wrong at its field', async () => {
    const { dialog } = await open();
    const field = dialog.getByRole('textbox', { name: 'Promo code' });
    await field.fill('NONE');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect.element(dialog.getByText('Invalid or expired code')).toBeVisible();
    await expectNoViolations();
    await field.fill(' WELCOME20 ');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect.element(dialog.getByText('Coupon applied')).toBeVisible();
    expect(dialog.getByText('Invalid or expired code').query()).toBeNull();
    expect(asked).toEqual(['NONE', 'WELCOME20']);
    await dialog.getByRole('button', { name: 'Review' }).click();
    await expect.element(dialog.getByText('-$240.00')).toBeVisible();
    await expect.element(dialog.getByText('$960.00', { exact: true })).toBeVisible();
    expect(asked).toHaveLength(2);
  });

  it('that is wrong does not lead to the review', async () => {
    const { dialog } = await open();
    await dialog.getByRole('textbox', { name: 'Promo code' }).fill('NONE');
    await dialog.getByRole('button', { name: 'Review' }).click();
    await expect.element(dialog.getByText('Invalid or expired code')).toBeVisible();
    expect(dialog.getByText('Total').query()).toBeNull();
  });
});

describe('the review', () => {
  it('starts the subscription only after both texts were read to their ends, and once for two clicks', async () => {
    const sent: unknown[] = [];
    let release: () => void = () => undefined;
    serve(
      http.post('/api/Subscriptions/site', async ({ request }) => {
        sent.push(await request.json());
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return HttpResponse.json(started, { status: 201 });
      }),
    );
    const { screen, dialog } = await open();
    await dialog.getByRole('radio', { name: /per year/ }).click();
    await dialog.getByRole('textbox', { name: 'Promo code' }).fill('WELCOME20');
    await dialog.getByRole('button', { name: 'Review' }).click();
    const start = dialog.getByRole('button', { name: 'Start Subscription' });
    await expect.element(start).toHaveAttribute('aria-disabled', 'true');
    await accept(screen, 'I accept the Terms and Conditions', 'Terms and Conditions');
    await expect.element(start).toHaveAttribute('aria-disabled', 'true');
    await accept(screen, 'I accept the User Agreement', 'User Agreement');
    await expect.element(start).not.toHaveAttribute('aria-disabled');
    await expectNoViolations();
    const element = start.element();
    if (element instanceof HTMLElement) {
      element.click();
      element.click();
    }
    await expect.element(dialog.getByText('Asking the card provider…')).toBeVisible();
    await expect.poll(() => sent.length).toBe(1);
    release();
    await expect.element(screen.getByText('The subscription of Alder is active.')).toBeVisible();
    await expect.element(screen.getByText('Started', { exact: true })).toBeVisible();
    const body = {
      siteId: '1',
      stripePriceId: 'price_year',
      subscriptionDurationInMonths: 12,
      couponCode: 'WELCOME20',
    };
    expect(sent).toEqual([body]);
  });

  it('goes back to the promo code when it has expired meanwhile', async () => {
    const errors = [{ pointer: '/couponCode', message: 'Invalid or expired code', code: 'invalid-code' }];
    serve(http.post('/api/Subscriptions/site', () => problem(422, 'Some fields are wrong.', { errors })));
    const { screen, dialog } = await open();
    await dialog.getByRole('textbox', { name: 'Promo code' }).fill('WELCOME20');
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    await dialog.getByRole('button', { name: 'Start Subscription' }).click();
    await expect.element(dialog.getByText('Invalid or expired code')).toBeVisible();
    await expect.element(dialog.getByRole('textbox', { name: 'Promo code' })).toHaveValue('WELCOME20');
  });

  it('says that a card was declined and keeps what was accepted', async () => {
    serve(
      http.post('/api/Subscriptions/site', () =>
        HttpResponse.json({ ...started, status: 'incomplete', isActive: false }, { status: 201 }),
      ),
    );
    const { screen, dialog } = await open();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    await dialog.getByRole('button', { name: 'Start Subscription' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('The payment did not go through.');
    await expect
      .element(dialog.getByRole('link', { name: 'Credit cards' }))
      .toHaveAttribute('href', '/cards/bay?subscribe=%221%22');
    await expect.element(screen.getByRole('checkbox', { name: 'I accept the User Agreement' })).toBeChecked();
  });

  it('marks a refusal that stays English, and not the link beside it', async () => {
    serve(http.post('/api/Subscriptions/site', () => problem(422, 'Do not honor.', { code: 'untranslated' })));
    const { screen, dialog } = await open();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    const start = dialog.getByRole('button', { name: 'Start Subscription' }).element();
    onTestFinished(() => changeLanguage('en'));
    await changeLanguage('es');
    await userEvent.click(start);
    const alert = page.getByRole('alert').filter({ hasText: 'Do not honor.' });
    await expect.element(alert.getByText('Do not honor.', { exact: true })).toHaveAttribute('lang', 'en');
    expect(alert.getByRole('link').element().closest('[lang]')).toBe(document.documentElement);
  });

  it('of a declined payment gives the reason of the bank and pays the same subscription again', async () => {
    const calls: string[] = [];
    const intent = { id: 'pi_1', status: 'requires_payment_method' };
    serve(
      http.post('/api/Subscriptions/site', () => {
        calls.push('start');
        const body = { ...started, status: 'incomplete', isActive: false, clientSecret: 'pi_1_secret_2' };
        return HttpResponse.json(body, { status: 201 });
      }),
      http.get('/dev/stripe/v1/payment_intents/pi_1', ({ request }) => {
        calls.push(new URL(request.url).search);
        return HttpResponse.json({ ...intent, last_payment_error: { message: 'Your card was declined.' } });
      }),
      http.post('/api/Subscriptions/restart', () => {
        calls.push('restart');
        return HttpResponse.json(started);
      }),
    );
    const { screen, dialog } = await open();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    await dialog.getByRole('button', { name: 'Start Subscription' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Your card was declined.');
    await expect.element(dialog.getByRole('alert')).toHaveFocus();
    await expect
      .element(dialog.getByRole('button', { name: 'Start Subscription', exact: true }))
      .not.toBeInTheDocument();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await expect.element(screen.getByText('The subscription of Alder is active.')).toBeVisible();
    expect(calls).toEqual(['start', '?client_secret=pi_1_secret_2', 'restart']);
  });

  it('leads to Billing where a payment is open that was begun elsewhere', async () => {
    const sentence = "A payment of this site's subscription is open. Restart the subscription instead.";
    serve(
      http.post('/api/Subscriptions/site', () => problem(409, sentence, { code: 'subscription-open' })),
      answerGet('/api/Subscriptions/site-status', { status: 'incomplete', isActive: false, paidPeriodEnd: null }),
    );
    const { screen, dialog } = await open();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    await dialog.getByRole('button', { name: 'Start Subscription' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(sentence);
    await dialog.getByRole('link', { name: 'Open Billing' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/payment-details/bay');
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it('pays the open payment when the answer was lost', async () => {
    serve(
      http.post('/api/Subscriptions/site', () => HttpResponse.error()),
      answerGet('/api/Subscriptions/site-status', { status: 'incomplete', isActive: false, paidPeriodEnd: null }),
      http.post('/api/Subscriptions/restart', () => HttpResponse.json(started)),
    );
    const { screen, dialog } = await open();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    await dialog.getByRole('button', { name: 'Start Subscription' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('the payment is not complete');
    await dialog.getByRole('button', { name: 'Restart Subscription' }).click();
    await expect.element(screen.getByText('The subscription of Alder is active.')).toBeVisible();
  });

  it('takes the focus when it opens, and gives it to the plans on the way back', async () => {
    const { dialog } = await open();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await expect.element(dialog.getByRole('heading', { name: 'Review' })).toHaveFocus();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect.element(dialog.getByRole('heading', { name: 'Choose a plan' })).toHaveFocus();
  });

  it('names the next payment, and what it costs once the promo code no longer counts', async () => {
    const { dialog } = await open();
    await dialog.getByRole('textbox', { name: 'Promo code' }).fill('WELCOME20');
    await dialog.getByRole('button', { name: 'Review' }).click();
    await expect.element(dialog.getByText('Next payment')).toBeVisible();
    await expect.element(dialog.getByText(/^\$1,200\.00 on /)).toBeVisible();
  });

  it('sends nothing later when the network is away: it says so at once', async () => {
    let sent = 0;
    serve(
      http.post('/api/Subscriptions/site', () => {
        sent += 1;
        return HttpResponse.error();
      }),
    );
    const { screen, dialog } = await open(createQueryClient(() => undefined));
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
    try {
      await dialog.getByRole('button', { name: 'Start Subscription' }).click();
      await expect.element(dialog.getByRole('alert')).toHaveTextContent('You were offline, so nothing was charged.');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect.element(dialog).not.toBeInTheDocument();
    } finally {
      onLine.mockRestore();
      window.dispatchEvent(new Event('online'));
    }
    expect(sent).toBe(1);
  });

  it('knows from the status that the subscription was made when the answer was lost', async () => {
    serve(
      http.post('/api/Subscriptions/site', () => HttpResponse.error()),
      answerGet('/api/Subscriptions/site-status', { status: 'active', isActive: true, paidPeriodEnd: null }),
    );
    const { screen, dialog } = await open();
    await dialog.getByRole('button', { name: 'Review' }).click();
    await acceptBoth(screen);
    await dialog.getByRole('button', { name: 'Start Subscription' }).click();
    await expect.element(screen.getByText('The subscription of Alder is active.')).toBeVisible();
  });
});
