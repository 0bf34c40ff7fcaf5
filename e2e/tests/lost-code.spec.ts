import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { expect, test } from '../lib/test.ts';

/** Loses the script that has `mark` in it, as after a new version of the server. Returns how often it was asked for. */
async function loseCode(page: Page, mark: string): Promise<() => number> {
  let count = 0;
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    if (!(await response.text()).includes(mark)) return route.fulfill({ response });
    count += 1;
    return route.fulfill({ status: 404 });
  });
  return () => count;
}

test('no screen breaks when the code that tells of new reservations cannot be loaded', async ({ openContext }) => {
  const page = await (await openContext('intake')).newPage();
  const lost = await loseCode(page, 'arrivals.newAtSites');
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible();
  await expect.poll(lost).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Reservations' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reservations' })).toBeVisible();
});

test('the details of a reservation open though the network is gone', async ({ openContext, apiAs }) => {
  const context = await openContext('intake');
  const page = await context.newPage();
  const { id } = await (await apiAs('intake')).siteCalled(MAIN_SITE);
  await page.goto(`/reservations/${id}?tab=reservations`);
  const row = page.getByRole('table', { name: 'Pending reservations' }).getByRole('row').nth(1);
  await expect(row).toBeVisible();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await row.getByRole('cell').first().click();
  await expect(page.getByRole('dialog', { name: /^Reservation / })).toBeVisible();
});
