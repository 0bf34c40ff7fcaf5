import type { BrowserContext, Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Place, reserve, vacantPlaces } from '../lib/api.ts';
import { Board } from '../lib/board.ts';
import { type FreezingProxy, freePort, startProxy } from '../lib/freezing-proxy.ts';
import { startServer } from '../lib/server.ts';
import { expect, test as base } from '../lib/test.ts';

const LOST = 'No connection to the server. Trying again…';

/** Browsers reach the server through a proxy that can stop forwarding without closing anything. */
const test = base.extend<object, { port: number; line: FreezingProxy }>({
  port: [async ({}, use) => use(await freePort()), { scope: 'worker' }],
  line: [
    async ({ port }, use) => {
      const line = await startProxy(port);
      await use(line);
      await line.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ port, line }, use) => {
      const server = await startServer({ origin: `http://localhost:${port}`, proxyOrigin: line.origin });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** A page with all that loads by itself. */
async function openLoaded(context: BrowserContext, path: string, heading: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible({ timeout: 30_000 });
  await page.waitForLoadState('networkidle');
  return page;
}

test('a connection that froze is noticed, said, and made up for by itself', async ({ openContext, apiAs, line }) => {
  test.setTimeout(180_000);
  const api = await apiAs('admin');
  const site = await api.siteCalled(MAIN_SITE);
  const [home, goal] = vacantPlaces(site) as [Place, Place];
  const reservation = await reserve(api.request, api, site, 'Frieda');
  const guest = await api.command(reservation, 'ACCEPTED', home.bed.id);
  const page = await (await openContext('owner', { baseURL: line.origin })).newPage();
  const board = new Board(page);
  await board.open(site.id);
  await expect(board.guestIn(home, guest.displayName)).toBeVisible();
  await page.evaluate(() => document.documentElement.setAttribute('data-same-load', ''));

  line.freeze();
  await api.command(guest, 'REASSIGNED', goal.bed.id);
  // Nothing tells the browser: neither an error nor the end of the stream. 20 seconds without a heartbeat do.
  await expect(page.getByText(LOST)).toBeVisible({ timeout: 45_000 });
  await expect(page.getByText(LOST)).toBeInViewport();
  await expect(board.guestIn(home, guest.displayName)).toBeVisible();

  line.thaw();
  await expect(board.guestIn(goal, guest.displayName)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(LOST)).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-same-load'))).toBe(true);
  await api.command(guest, 'DISCHARGED');
});

test('a screen that was asked for over a frozen connection comes by itself when the server answers', async ({
  openContext,
  line,
}) => {
  test.setTimeout(180_000);
  const page = await openLoaded(await openContext('owner', { baseURL: line.origin }), '/today', 'Today');
  await page.evaluate(() => document.documentElement.setAttribute('data-same-load', ''));
  line.freeze();
  // Its code takes every connection that the browser has, and nothing limits how long it waits.
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByText(LOST)).toBeVisible({ timeout: 45_000 });
  line.thaw();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(LOST)).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-same-load'))).toBe(true);
});

test('Back from a screen that was asked for over a frozen connection leaves no error behind', async ({
  openContext,
  line,
}) => {
  test.setTimeout(180_000);
  const page = await openLoaded(await openContext('owner', { baseURL: line.origin }), '/today', 'Today');
  line.freeze();
  await page.getByRole('link', { name: 'History' }).click();
  await page.goBack();
  await expect(page.getByText(/The server cannot be reached|No connection to the server/).first()).toBeVisible({
    timeout: 45_000,
  });
  line.thaw();
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
  await expect(page.getByText(LOST)).toBeHidden();
});

test('a move into a frozen connection is not confirmed until the server has answered, and made once', async ({
  openContext,
  apiAs,
  line,
}) => {
  test.setTimeout(180_000);
  const api = await apiAs('admin');
  const site = await api.siteCalled(MAIN_SITE);
  const [home, goal] = vacantPlaces(site) as [Place, Place];
  const reservation = await reserve(api.request, api, site, 'Gudrun');
  const guest = await api.command(reservation, 'ACCEPTED', home.bed.id);
  const page = await (await openContext('owner', { baseURL: line.origin })).newPage();
  const board = new Board(page);
  await board.open(site.id);
  await page.getByRole('button', { name: `Move ${guest.displayName}` }).click();
  await page.getByRole('button', { name: `Assign to ${goal.bed.name}, ${goal.house}` }).click();
  line.freeze();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(board.bed(goal).getByText('Not confirmed')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('was not moved')).toHaveCount(0);
  line.thaw();
  await expect(board.bed(goal).getByText('Not confirmed')).toBeHidden({ timeout: 60_000 });
  await expect(board.guestIn(goal, guest.displayName)).toBeVisible();
  const [after] = (await api.guests(site.id)).filter(({ id }) => id === guest.id);
  expect(after?.assignedBedId).toBe(goal.bed.id);
  expect(after?.version).toBe(guest.version + 1);
  await api.command(guest, 'DISCHARGED');
});

test('a sign-out into a frozen connection ends the session in all tabs soon after the server answers', async ({
  openContext,
  line,
}) => {
  test.setTimeout(180_000);
  const context = await openContext('owner', { baseURL: line.origin });
  const page = await openLoaded(context, '/today', 'Today');
  const other = await openLoaded(context, '/organizations', 'Organizations');
  await page.bringToFront();
  const logout = page.getByRole('link', { name: 'Logout' });
  await logout.hover();
  await page.waitForLoadState('networkidle');
  line.freeze();
  await logout.click();
  await expect(page.getByRole('link', { name: 'Profile' })).toBeHidden();
  await expect(other.getByRole('link', { name: 'Profile' })).toBeHidden();
  await expect(page.getByRole('alert')).toContainText('You are still signed in', { timeout: 20_000 });
  line.thaw();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 20_000 });
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 20_000 });
  expect((await context.request.get('/api/Organizations')).status()).toBe(401);
});
