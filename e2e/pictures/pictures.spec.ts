import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { reserve, vacantPlaces } from '../lib/api.ts';
import { Board } from '../lib/board.ts';
import { expect, test } from '../lib/test.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/pictures');
const LOOK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 } as const;

test.beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
});

test('the main job in five pictures, one of the dark board and one of a phone', async ({ openContext, apiAs }) => {
  test.setTimeout(120_000);
  const admin = await apiAs('admin');
  const site = await admin.siteCalled(MAIN_SITE);

  const stranger = await (await openContext(null, LOOK)).newPage();
  await stranger.goto('/login');
  await expect(stranger.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await keep(stranger, '1-sign-in');

  const page = await (await openContext('intake', LOOK)).newPage();
  const guest = await reserve(page.request, admin, site, 'Nadia');
  await page.goto(`/reservations/${site.id}?tab=reservations`);
  await expect(page.getByText(guest.displayName)).toBeVisible();
  // What can be done with a row shows while the pointer is on it.
  await page.getByRole('row').filter({ hasText: guest.displayName }).hover();
  await keep(page, '2-reservations');

  await page.getByRole('button', { name: `Accept ${guest.displayName}` }).click();
  const [first, second] = vacantPlaces(site);
  if (!first || !second) throw new Error('The demo has too few beds.');
  const choice = page.getByRole('radio', { name: `${first.bed.name}, ${first.house}` });
  await page.locator('label').filter({ has: choice }).click();
  await expect(choice).toBeChecked();
  await keep(page, '3-choose-a-bed');
  await page.getByRole('button', { name: 'Accept into this bed' }).click();
  await expect(page).not.toHaveURL(/reservations-request/);

  const board = new Board(page);
  await board.open(site.id);
  await board.guestIn(first, guest.displayName).hover();
  await page.mouse.down();
  await board.bed(second).hover();
  await board.bed(second).hover({ position: { x: 60, y: 50 } });
  await expect(board.dialog.getByText(guest.displayName, { exact: true })).toHaveCount(2);
  await keep(page, '4-bed-board');
  await page.keyboard.press('Escape');
  await page.mouse.up();

  await page.goto(`/reservations/guest/${site.id}/${guest.id}`);
  await expect(page.getByRole('button', { name: 'Discharge' })).toBeVisible();
  await keep(page, '5-guest');

  const dark = new Board(await (await openContext('intake', { ...LOOK, colorScheme: 'dark' })).newPage());
  await dark.open(site.id);
  await dark.page.getByRole('button', { name: `Move ${guest.displayName}` }).click();
  await expect(dark.page.getByText(`Moving ${guest.displayName}`).first()).toBeVisible();
  await keep(dark.page, 'bed-board-dark');

  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } as const;
  const small = await (await openContext('intake', phone)).newPage();
  await small.goto(`/organizations/${site.organizationId}/${site.id}`);
  await expect(small.getByText(guest.displayName)).toBeVisible();
  await keep(small, 'phone');
});

/** A picture for docs/pictures, once everything that moves stands still. */
async function keep(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
}
