import { expect, type Page } from '@playwright/test';
import { UNPAID_SITE } from '../accounts.ts';
import { Api } from '../api.ts';
import type { Screen } from './screen.ts';

/** Screens of an owner whose sites have no active subscription, and no card to pay with. */
export const PAYING_OWNER_SCREENS: readonly Screen[] = [
  { name: 'subscription needed: an owner without a card', path: () => '/reservations', open: openPrompt },
  {
    name: 'credit cards while a reservation waits',
    path: () => '/reservations',
    open: async (page) => {
      await openPrompt(page);
      await page.getByRole('alert').locator('a[href^="/cards/"]').click();
      await expect(page.getByRole('note').getByRole('button')).toBeVisible();
    },
  },
  {
    name: 'plan without a card',
    path: () => '/payment-details',
    open: async (page) => {
      await pressStart(page);
      await expect(page.getByRole('dialog').getByRole('link')).toBeVisible();
    },
  },
  { name: 'plan', path: () => '/payment-details', open: openPlan },
  {
    name: 'plan with a wrong code',
    path: () => '/payment-details',
    open: async (page) => {
      await openPlan(page);
      await page.getByRole('dialog').getByRole('textbox').fill('SUMMER25');
      await page.getByRole('dialog').getByRole('textbox').press('Enter');
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]')).toBeVisible();
    },
  },
  {
    name: 'review of a plan',
    path: () => '/payment-details',
    open: async (page) => {
      await openPlan(page);
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
    },
  },
];

/** Screens of an admin of such a site. */
export const PAYING_ADMIN_SCREENS: readonly Screen[] = [
  { name: 'subscription needed: an admin', path: () => '/reservations', open: openPrompt },
];

/** Opens the page on which a reservation from the search would be accepted. */
async function openPrompt(page: Page): Promise<void> {
  const api = new Api(page.request);
  const site = await api.siteCalled(UNPAID_SITE);
  const guest = (await api.guests(site.id)).find(({ status, source }) => status === 'pending' && source === 'Web');
  if (!guest) throw new Error(`Nobody waits at ${UNPAID_SITE}.`);
  await page.goto(`/reservations-request/${guest.id}`);
  await expect(page.getByRole('alert')).toBeVisible();
}

/** Opens the plans as if there were a card: the owner's first one is added elsewhere. */
async function openPlan(page: Page): Promise<void> {
  const card = { id: '00000000-0000-7000-8000-000000000000', brand: 'visa', lastFourDigits: '4242', isDefault: true };
  const json = [{ ...card, expirationDate: '4/40', formattedExpirationDate: '4/40' }];
  const cards = '**/api/Subscriptions/savedPaymentMethods*';
  await page.route(cards, (route) => route.fulfill({ json }));
  await pressStart(page);
  await expect(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
  await page.unroute(cards);
}

async function pressStart(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Start Subscription|Iniciar suscripción): / }).click();
}
