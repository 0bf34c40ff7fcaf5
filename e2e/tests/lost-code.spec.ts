import { MAIN_SITE } from '../lib/accounts.ts';
import { followCode, loseCode } from '../lib/lost-code.ts';
import { expect, test } from '../lib/test.ts';

test('no screen breaks when the code that tells of new reservations cannot be loaded', async ({ openContext }) => {
  const page = await (await openContext('intake')).newPage();
  const lost = await loseCode(page, 'arrivals.newAtSites');
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible();
  await expect.poll(lost.count).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Reservations' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reservations' })).toBeVisible();
});

test('no screen breaks when the code of messages cannot be loaded, and they come with the connection', async ({
  openContext,
}) => {
  const page = await (await openContext('intake')).newPage();
  const lost = await loseCode(page, 'top-center');
  await page.goto('/user-settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await expect.poll(lost.count).toBeGreaterThan(0);
  await lost.giveBack();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('button', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your message settings are saved.')).toBeVisible();
});

for (const [what, part, mark, seen] of [
  ['code', 'Security', 'totp.smsRisk', 'Authenticator app'],
  ['texts', 'Messages', 'Quiet hours', 'Quiet hours'],
] as const) {
  test(`"Try again" loads the ${what} of a part of a screen that could not be loaded`, async ({ openContext }) => {
    const page = await (await openContext('intake')).newPage();
    await page.goto('/user-settings');
    const lost = await loseCode(page, mark);
    await page.getByRole('button', { name: part }).click();
    await expect(page.getByRole('heading', { name: 'Something went wrong.' })).toBeVisible();
    await lost.giveBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: part }).click();
    await expect(page.getByText(seen, { exact: true }).first()).toBeVisible();
  });
}

test('"Try again" loads the data of a screen that could not be loaded', async ({ openContext, apiAs }) => {
  const page = await (await openContext('intake')).newPage();
  const { id } = await (await apiAs('intake')).siteCalled(MAIN_SITE);
  const data = `**/api/Sites/${id}`;
  await page.route(data, (route) => route.fulfill({ status: 500 }));
  await page.goto(`/reservations/${id}?tab=reservations`);
  await expect(page.getByRole('heading', { name: 'Failed to load' })).toBeVisible();
  await page.unroute(data);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: MAIN_SITE })).toBeVisible();
});

test('a screen whose code is not here yet says that there is no network, and comes with it', async ({
  openContext,
}) => {
  const context = await openContext('intake');
  const page = await context.newPage();
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Failed to load' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reservations' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
});

test('a screen comes by itself although the network that is back carries nothing at first', async ({ openContext }) => {
  const context = await openContext('intake');
  const page = await context.newPage();
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Failed to load' })).toBeVisible();
  let lost = 0;
  await page.route('**/assets/*.js', (route) => {
    lost += 1;
    return route.abort('internetdisconnected');
  });
  await context.setOffline(false);
  await expect.poll(() => lost).toBeGreaterThan(0);
  await page.unrouteAll();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reservations' })).toBeVisible();
});

test('the details of a reservation open though the network is gone', async ({ openContext, apiAs }) => {
  const context = await openContext('intake');
  const page = await context.newPage();
  const { id } = await (await apiAs('intake')).siteCalled(MAIN_SITE);
  const hasCome = followCode(page, '(`detailTitle`');
  await page.goto(`/reservations/${id}?tab=reservations`);
  const row = page.getByRole('table', { name: 'Pending reservations' }).getByRole('row').nth(1);
  await expect(row).toBeVisible();
  await hasCome();
  await context.setOffline(true);
  await row.getByRole('cell').first().click();
  await expect(page.getByRole('dialog', { name: /^Reservation / })).toBeVisible();
});

test('a dialog whose code is not here yet says so without a network, keeps the screen, and opens with it', async ({
  openContext,
  apiAs,
}) => {
  const context = await openContext('admin');
  const page = await context.newPage();
  const { id } = await (await apiAs('admin')).siteCalled(MAIN_SITE);
  await page.goto(`/waitlist/${id}`);
  const add = page.getByRole('button', { name: 'Add to waitlist' });
  await expect(add).toBeVisible();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await add.click();
  await expect(page.getByText('This could not be opened.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/waitlist/${id}$`));
  await expect(add).toBeFocused();
  await context.setOffline(false);
  await add.click();
  await expect(page.getByRole('dialog', { name: 'Add to waitlist' })).toBeVisible();
});
