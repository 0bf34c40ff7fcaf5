import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { CardsPage } from '@/pages/cards-page';
import { expectNoViolations } from '@/testing/axe';
import { savedCard } from '@/testing/billing-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import '@/testing/stand-in';

const PATH = '/api/Subscriptions/savedPaymentMethods';

beforeEach(() => {
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/api/Organizations/bay', organization('bay', { isCommercial: true })),
    answerGet('/api/Organizations', [
      organization('bay', { isCommercial: true }),
      organization('cove', { isCommercial: true }),
      organization('free'),
    ]),
  );
});
afterEach(async () => {
  cleanNotifications();
  vi.restoreAllMocks();
  await page.viewport(1360, 900);
});

const ownerOfBay = currentUser({
  role_owner_organization_ids: 'bay',
  owns_commercial: true,
  email: 'owner@demo.example',
});

const VISA = savedCard('4242', { isDefault: true });
const MASTERCARD = savedCard('4444', { brand: 'mastercard', expirationDate: '5/41', formattedExpirationDate: '5/41' });

const show = (user = ownerOfBay, organizationId = 'bay', reservation?: string, subscribe?: string) =>
  renderView(
    <Suspense fallback="…">
      <CardsPage organizationId={organizationId} reservation={reservation} subscribe={subscribe} />
    </Suspense>,
    { user, path: `/cards/${organizationId}` },
  );

/** The server with these cards, as changes leave them. */
function serveCards(...cards: Schemas['SavedCard'][]) {
  let saved = cards;
  serve(
    http.get(PATH, () => HttpResponse.json(saved)),
    http.put<never, Schemas['DefaultCard']>(`${PATH}/default`, async ({ request }) => {
      const { savedPaymentMethodId } = await request.json();
      saved = saved.map((one) => ({ ...one, isDefault: one.id === savedPaymentMethodId }));
      return HttpResponse.json(saved.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault)));
    }),
    http.delete(`${PATH}/:id`, ({ params }) => {
      saved = saved.filter(({ id }) => id !== params['id']);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post<never, Schemas['NewSavedCard']>(PATH, () => {
      const added = savedCard('4242', { id: 'card-new', isDefault: saved.length === 0 });
      saved = [...saved, added];
      return HttpResponse.json(added, { status: 201 });
    }),
  );
}

const names = (screen: Awaited<ReturnType<typeof show>>) =>
  screen
    .getByRole('list', { name: 'Saved cards' })
    .getByRole('listitem')
    .elements()
    .map((item) => item.textContent);

describe('saved cards', () => {
  it('show brand, last four digits, expiry and which is the default', async () => {
    serveCards(
      VISA,
      MASTERCARD,
      savedCard('0341', { formattedExpirationDate: '1/20' }),
      savedCard('9995', { formattedExpirationDate: '13/40' }),
    );
    const screen = await show();
    await expect.element(screen.getByRole('list', { name: 'Saved cards' })).toBeVisible();
    expect(names(screen)).toEqual([
      'Visa ending in 4242DefaultExpires 4/40',
      'Mastercard ending in 4444Expires 5/41',
      'Visa ending in 0341ExpiredExpires 1/20',
      'Visa ending in 9995Incorrect expiration date',
    ]);
    await expect.element(screen.getByText('Test payments: no card is charged')).toBeVisible();
    await expectNoViolations();
  });

  it('say that there are none, that they load, and what went wrong', async () => {
    let answer: () => Response | Promise<Response> = () => new Promise<Response>(() => undefined);
    serve(http.get(PATH, () => answer()));
    const loading = await show();
    await expect.element(loading.getByText('Loading...')).toBeInTheDocument();
    await loading.unmount();

    answer = () => problem(503, 'The service is busy.');
    const broken = await show();
    await expect.element(broken.getByText('The service is busy.')).toBeVisible();
    answer = () => HttpResponse.json([]);
    await broken.getByRole('button', { name: 'Try again' }).click();
    await expect.element(broken.getByText('No saved cards')).toBeVisible();
    expect(broken.getByRole('button', { name: 'Manage Billing Info' }).query()).toBeNull();
  });

  it('take the place of the default', async () => {
    serveCards(VISA, MASTERCARD);
    const screen = await show();
    await screen.getByRole('button', { name: 'Actions for Mastercard ending in 4444' }).click();
    await screen.getByRole('menuitem', { name: 'Make default' }).click();
    await expect.element(screen.getByText('Mastercard ending in 4444 is now the default.')).toBeVisible();
    // The toast may come before the list is drawn anew.
    await expect.poll(() => names(screen)[0]).toContain('Mastercard ending in 4444Default');
    await screen.getByRole('button', { name: 'Actions for Mastercard ending in 4444' }).click();
    await expect.element(screen.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
    expect(screen.getByRole('menuitem', { name: 'Make default' }).query()).toBeNull();
  });

  it('that are refused say why above the list', async () => {
    serveCards(VISA, MASTERCARD);
    const message = 'This card was removed at the card provider. Here is how it is now.';
    serve(http.put(`${PATH}/default`, () => problem(409, message)));
    const screen = await show();
    await screen.getByRole('button', { name: 'Actions for Mastercard ending in 4444' }).click();
    await screen.getByRole('menuitem', { name: 'Make default' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent(message);
  });

  it('go after a question that names them; a refusal stays in it', async () => {
    serveCards(VISA, MASTERCARD);
    const message = 'This is the last card, and a subscription is paid with it.';
    serve(http.delete(`${PATH}/:id`, () => problem(409, message), { once: true }));
    const screen = await show();
    await screen.getByRole('button', { name: 'Actions for Visa ending in 4242' }).click();
    await screen.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Delete this card?' });
    await expect.element(dialog).toHaveTextContent('Visa ending in 4242 will be removed permanently.');
    await expect.element(dialog).toHaveTextContent('This is the default card. Another saved card becomes the default.');
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Delete card' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(message);
    await dialog.getByRole('button', { name: 'Delete card' }).click();
    await expect.element(screen.getByText('Visa ending in 4242 was removed.')).toBeVisible();
    await expect.poll(() => names(screen)).toEqual(['Mastercard ending in 4444Expires 5/41']);
  });

  it('of a non-commercial organization there are none', async () => {
    serve(answerGet('/api/Organizations/free', organization('free')));
    const screen = await show(currentUser({ role_owner_organization_ids: 'free' }), 'free');
    await expect
      .element(screen.getByText('This organization is non-commercial, therefore you do not need a subscription.'))
      .toBeVisible();
    expect(screen.getByRole('button', { name: 'Add new card' }).query()).toBeNull();
  });

  it('of several organizations are a choice away', async () => {
    serveCards(VISA);
    const one = await show();
    await expect.element(one.getByRole('list', { name: 'Saved cards' })).toBeVisible();
    expect(one.getByRole('combobox', { name: 'Organization' }).query()).toBeNull();
    await one.unmount();
    const several = await show(currentUser({ role_owner_organization_ids: 'bay,cove,free', owns_commercial: true }));
    const choice = several.getByRole('combobox', { name: 'Organization' });
    await expect.element(choice).toBeVisible();
    expect([...choice.element().querySelectorAll('option')].map((option) => option.textContent)).toEqual([
      'bay',
      'cove',
    ]);
    await choice.selectOptions('cove');
    await expect.poll(() => several.router.state.location.pathname).toBe('/cards/cove');
  });

  it('lead to the billing page, which leads back to the reservation that waits', async () => {
    serveCards(VISA);
    let asked = '';
    serve(
      http.get('/api/Stripe/customer-portal', ({ request }) => {
        asked = new URL(request.url).search;
        return problem(503, 'The card provider cannot be reached.');
      }),
    );
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const screen = await show(ownerOfBay, 'bay', 'anna');
    await screen.getByRole('button', { name: 'Manage Billing Info' }).click();
    await expect.poll(() => asked).toBe('?organizationId=bay&reservation=anna');
  });

  it('lead to the billing page; its failure is shown and logged', async () => {
    serveCards(VISA);
    serve(http.get('/api/Stripe/customer-portal', () => problem(503, 'The card provider cannot be reached.')));
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const screen = await show();
    await screen.getByRole('button', { name: 'Manage Billing Info' }).click();
    const alert = screen.getByRole('alert');
    await expect.element(alert).toHaveTextContent('The billing page could not be opened');
    await expect.element(alert).toHaveTextContent('The card provider cannot be reached.');
    expect(logged.mock.calls).toHaveLength(1);
    await expect.element(screen.getByRole('button', { name: 'Manage Billing Info' })).toBeEnabled();
    await expectNoViolations();
  });
});

describe('a new card', () => {
  /** What Stripe's side answers; each call is noted. */
  function serveStripe(confirm: () => Response) {
    const calls: string[] = [];
    const note = async (request: Request) => {
      calls.push(`${new URL(request.url).pathname} ${decodeURIComponent(await request.clone().text())}`);
    };
    serve(
      http.post('/api/Stripe/setup-intent', async ({ request }) => {
        await note(request);
        return HttpResponse.json({ clientSecret: 'seti_1_secret_2' });
      }),
      http.post('/dev/stripe/v1/payment_methods', async ({ request }) => {
        await note(request);
        return HttpResponse.json({ id: 'pm_1' });
      }),
      http.post('/dev/stripe/v1/setup_intents/seti_1/confirm', async ({ request }) => {
        await note(request);
        return confirm();
      }),
    );
    return calls;
  }

  const succeeded = () => HttpResponse.json({ id: 'seti_1', status: 'succeeded', payment_method: 'pm_1' });

  async function open(reservation?: string, subscribe?: string) {
    const screen = await show(ownerOfBay, 'bay', reservation, subscribe);
    await screen.getByRole('button', { name: 'Add new card' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Add new card' });
    await expect.element(dialog.getByRole('textbox', { name: 'Card number' })).toBeVisible();
    const type = async (number: string, expiry = '0440', cvc = '123') => {
      await dialog.getByRole('textbox', { name: 'Card number' }).fill(number);
      await dialog.getByRole('textbox', { name: 'Expiration date' }).fill(expiry);
      await dialog.getByRole('textbox', { name: 'Security code' }).fill(cvc);
      await dialog.getByRole('button', { name: 'Save card' }).click();
    };
    return { screen, dialog, type };
  }

  it('goes to the card provider and then to the organization; the first one with an address for receipts', async () => {
    serveCards();
    const calls = serveStripe(succeeded);
    const { screen, dialog, type } = await open();
    const email = dialog.getByRole('textbox', { name: 'Email for receipts' });
    await expect.element(email).toHaveValue('owner@demo.example');
    await expectNoViolations();
    await email.fill('nobody');
    await type('4242 4242 4242 4242');
    await expect.element(dialog.getByText('Invalid email.')).toBeVisible();
    expect(calls).toEqual([]);
    await email.fill('receipts@demo.example');
    await dialog.getByRole('button', { name: 'Save card' }).click();
    await expect.element(screen.getByText('Visa ending in 4242 was saved.')).toBeVisible();
    expect(calls).toEqual([
      '/api/Stripe/setup-intent {"organizationId":"bay","email":"receipts@demo.example"}',
      '/dev/stripe/v1/payment_methods type=card&card[number]=4242424242424242&card[exp_month]=04&card[exp_year]=40&card[cvc]=123',
      '/dev/stripe/v1/setup_intents/seti_1/confirm client_secret=seti_1_secret_2&payment_method=pm_1',
    ]);
    await expect.poll(() => names(screen)).toEqual(['Visa ending in 4242DefaultExpires 4/40']);
  });

  it('that a reservation waits for leads back to it once it is saved', async () => {
    serveCards();
    serveStripe(succeeded);
    const { screen, type } = await open('anna');
    await expect.element(screen.getByText('A reservation is waiting')).toBeVisible();
    await expectNoViolations();
    await type('4242 4242 4242 4242');
    await expect.element(screen.getByText('Visa ending in 4242 was saved.')).toBeVisible();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations-request/anna');
    expect(screen.router.history.length, 'nothing is left to come back to').toBe(1);
  });

  it('that a plan waits for leads back to the plans on Billing once it is saved', async () => {
    serveCards();
    serveStripe(succeeded);
    const { screen, type } = await open(undefined, 'alder');
    await expect.element(screen.getByText('When the card is saved, you return to the plans.')).toBeVisible();
    await expectNoViolations();
    await type('4242 4242 4242 4242');
    await expect.poll(() => screen.router.state.location.pathname).toBe('/payment-details/bay');
    expect(screen.router.state.location.search).toEqual({ subscribe: 'alder' });
    expect(screen.router.history.length, 'nothing is left to come back to').toBe(1);
  });

  it('with a number that is none of the test numbers is refused before anything is sent', async () => {
    serveCards(VISA);
    const calls = serveStripe(succeeded);
    const { dialog, type } = await open();
    expect(dialog.getByRole('textbox', { name: 'Email for receipts' }).query()).toBeNull();
    await type('4539578763621486', '1340', '1');
    await expect.element(dialog.getByText(/^Only Stripe's test numbers work here/)).toBeVisible();
    await expect.element(dialog.getByText("Your card's expiration date is invalid.")).toBeVisible();
    await expect.element(dialog.getByText("Your card's security code is incomplete.")).toBeVisible();
    await expect.element(dialog.getByRole('textbox', { name: 'Card number' })).toHaveFocus();
    await expectNoViolations();
    expect(calls).toEqual([]);
  });

  it('that its bank declines says why, and what was typed stays', async () => {
    serveCards(VISA);
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card has insufficient funds.' };
    serveStripe(() => HttpResponse.json({ error }, { status: 402 }));
    const { dialog, type } = await open();
    await type('4000000000009995');
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Your card has insufficient funds.');
    await expect.element(dialog.getByRole('textbox', { name: 'Card number' })).toHaveValue('4000 0000 0000 9995');
  });

  it('whose bank asks its holder waits for the answer', async () => {
    serveCards(VISA);
    serveStripe(() => HttpResponse.json({ id: 'seti_1', status: 'requires_action', payment_method: 'pm_1' }));
    const agreed: string[] = [];
    serve(
      http.post('/dev/stripe/authenticate/seti_1', async ({ request }) => {
        agreed.push(await request.text());
        return succeeded();
      }),
    );
    const { screen, dialog, type } = await open();
    await type('4000002500003155');
    await expect.element(dialog.getByRole('heading', { name: 'Your bank asks whether it is you' })).toHaveFocus();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Complete authentication' }).click();
    await expect.element(screen.getByText('Visa ending in 4242 was saved.')).toBeVisible();
    expect(agreed).toEqual(['client_secret=seti_1_secret_2&agreed=true']);
  });

  it('that the card provider has taken is not asked for twice when our server stumbles', async () => {
    serveCards(VISA);
    const calls = serveStripe(succeeded);
    const message = 'The card provider cannot be reached. Please try again in a moment.';
    serve(http.post(PATH, () => problem(503, message), { once: true }));
    const { screen, dialog, type } = await open();
    await type('4242424242424242');
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(message);
    await dialog.getByRole('button', { name: 'Save card' }).click();
    await expect.element(screen.getByText('Visa ending in 4242 was saved.')).toBeVisible();
    expect(calls.filter((call) => call.startsWith('/dev/stripe/v1/payment_methods'))).toHaveLength(1);
  });

  it('that is typed in place of one whose save was lost is taken itself', async () => {
    serveCards(VISA);
    const calls = serveStripe(succeeded);
    serve(http.post(PATH, () => HttpResponse.error(), { once: true }));
    const { screen, dialog, type } = await open();
    await type('4242424242424242');
    await expect.element(dialog.getByRole('alert')).toBeVisible();
    await type('5555555555554444');
    await expect.element(screen.getByText(/was saved\./)).toBeVisible();
    const taken = calls.filter((call) => call.startsWith('/dev/stripe/v1/payment_methods'));
    expect(taken.map((call) => /number\]=(\d+)/.exec(call)?.[1])).toEqual(['4242424242424242', '5555555555554444']);
  });
});
