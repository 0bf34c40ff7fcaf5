import { expect, type Page } from '@playwright/test';
import { askForCode, typeReservation } from '../find.ts';
import { latestCode } from '../outbox.ts';
import type { Screen, World } from './screen.ts';

/** The last digits of phones of the public page; each look of a screen takes another one. */
let seekers = 2100;
/** The reservation that the last look made. */
let made = { code: '', digits: '' };

/** Opens the form of the public page and asks for a code; returns the phone. */
async function openCode(page: Page, { site }: World): Promise<string> {
  seekers += 1;
  const phone = `951555${seekers}`;
  await page.goto(`/find?site=${site.id}&step=reserve`);
  await typeReservation(page, { firstName: 'Marigold', phone });
  await askForCode(page);
  return `+1${phone}`;
}

/** Screens for people who are not signed in. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  { name: 'sign in', path: () => '/login' },
  {
    name: 'sign in with errors',
    path: () => '/login',
    open: async (page) => {
      await page.locator('button[type=submit]').click();
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  {
    name: 'agreement',
    path: () => '/login',
    open: async (page) => {
      await page.getByRole('checkbox').first().click();
      await expect(page.getByRole('dialog').getByRole('heading', { level: 3 }).first()).toBeVisible();
    },
  },
  { name: 'restore access', path: () => '/restore-password' },
  { name: 'new password without a link', path: () => '/reset-password' },
  { name: 'new email without a link', path: () => '/confirm-email' },
  { name: 'old email without a link', path: () => '/undo-email-change' },
  { name: 'error', path: () => '/error?message=The%20link%20is%20too%20old.&source=Invitation' },
  { name: 'contact', path: () => '/contact-us' },
  { name: 'privacy', path: () => '/privacy-policy' },
  { name: 'terms', path: () => '/terms-and-conditions' },
  { name: 'user agreement', path: () => '/user-agreement' },
  { name: 'faq', path: () => '/faq' },
  { name: 'invitation link without a token', path: () => '/login/callback' },
  { name: 'invitation without a token', path: () => '/signup' },
  { name: 'invitation that has expired', path: () => '/signup-expired' },
  { name: 'new invitation on its way', path: () => '/signup-check-email' },
];

/** The public page /find, a build of its own with a frame of its own. */
export const FIND_SCREENS: readonly Screen[] = [
  {
    name: 'find a bed',
    path: () => '/find?available=all&age=age-over-27',
    open: async (page) => expect(page.getByRole('listitem').first()).toBeVisible(),
  },
  {
    name: 'find nothing',
    path: () => '/find?place=Nowhere',
    open: async (page) => expect(page.getByRole('status')).toContainText('0'),
  },
  { name: 'find a site', path: ({ site }) => `/find?site=${site.id}` },
  {
    name: 'reserve with errors',
    path: ({ site }) => `/find?site=${site.id}&step=reserve`,
    open: async (page) => {
      await page.locator('main button[type=submit]').click();
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  {
    name: 'code of a reservation',
    path: () => '/find',
    open: async (page, world) => void (await openCode(page, world)),
  },
  { name: 'look a reservation up', path: () => '/find?reservation=' },
  {
    name: 'reservation to cancel',
    path: () => '/find',
    open: async (page, world) => {
      const phone = await openCode(page, world);
      const code = await latestCode(page.request, new URL(page.url()).origin, phone);
      await page.locator('input[name=code]').fill(code);
      await page.locator('main button[type=submit]').click();
      await page.locator('button[data-variant=outline]').click();
      await expect(page.locator('#cancel-question')).toBeFocused();
      const heading = await page.getByRole('heading', { level: 1 }).textContent();
      made = { code: heading?.slice(-6) ?? '', digits: phone.slice(-4) };
    },
  },
  {
    name: 'cancelled reservation',
    path: () => '/find?reservation=',
    // The one of the screen before: its bed is free again.
    open: async (page) => {
      await page.locator('input[name=code]').fill(made.code);
      await page.locator('input[name=digits]').fill(made.digits);
      await page.locator('main button[type=submit]').click();
      await page.locator('button[data-variant=outline]').click();
      await page.locator('section[aria-labelledby=cancel-question] button').first().click();
      await expect(page.locator('section[aria-labelledby=cancel-question]')).toHaveCount(0);
    },
  },
];
