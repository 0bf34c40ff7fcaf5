import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { HEADERS, signInByApi } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';

/** What the browser itself has kept of these addresses: their statuses, 0 for nothing. */
async function keptByBrowser(page: Page, addresses: readonly string[]): Promise<number[]> {
  return page.evaluate(
    (all) =>
      Promise.all(
        all.map((address) =>
          fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).then(
            ({ ok, status }) => (ok ? status : 0),
            () => 0,
          ),
        ),
      ),
    addresses,
  );
}

test('nothing of a guest stays in the browser of a shared computer, and what did not change is not sent twice', async ({
  openContext,
  apiAs,
  server,
}) => {
  const api = await apiAs('admin');
  const site = await api.siteCalled(MAIN_SITE);
  // A session of its own: it ends here.
  const context = await openContext(null);
  await signInByApi(context.request, server.origin, 'staff');
  const page = await context.newPage();
  const seen = new Map<string, number[]>();
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url());
    const address = `${pathname}${search}`;
    if (pathname.startsWith('/api/')) seen.set(address, [...(seen.get(address) ?? []), response.status()]);
  });
  await page.goto(`/reservations/${site.id}?tab=guests`);
  await expect(page.getByRole('table', { name: 'Guests' }).getByRole('row').nth(1)).toBeVisible();
  const addresses = [`/api/Sites/${site.id}`, `/api/Guests?siteId=${site.id}`];
  for (const address of addresses) expect(seen.get(address), address).toEqual([200]);
  expect(
    await keptByBrowser(
      page,
      [...seen.keys()].filter((address) => address !== '/api/live'),
    ),
  ).not.toContain(200);

  // Away and back, without a reload: the app has the answers, and the server says that they still hold.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  for (const address of addresses)
    await expect.poll(() => seen.get(address)?.slice(1), { message: address }).toContain(304);
  await expect(page.getByRole('table', { name: 'Guests' }).getByRole('row').nth(1)).toBeVisible();

  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const stores = await page.evaluate(async () => ({
    session: Object.keys(sessionStorage).filter((name) => name.startsWith('berth')),
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).length,
  }));
  expect(stores).toEqual({ session: [], caches: [], databases: 0 });
  expect(await keptByBrowser(page, addresses)).toEqual([0, 0]);
});

for (const [when, account, signOut] of [
  ['in another tab', 'intake', (other: Page) => other.goto('/logout')],
  [
    'on the server',
    'owner',
    async (other: Page) => expect(await other.request.post('/connect/logout', { headers: HEADERS })).toBeOK(),
  ],
] as const) {
  test(`an undo that has no answer when the session ends ${when} names no guest to whoever sits there next`, async ({
    openContext,
    apiAs,
    server,
  }) => {
    const api = await apiAs('admin');
    const site = await api.siteCalled(MAIN_SITE);
    const [pending] = (await api.guests(site.id)).filter(({ status }) => status === 'pending');
    if (!pending) throw new Error(`Nobody waits at ${MAIN_SITE}.`);
    // A session of its own: it ends here.
    const context = await openContext(null);
    await signInByApi(context.request, server.origin, account);
    const [page, other] = [await context.newPage(), await context.newPage()];
    // The answers alone tell that the session is over.
    await page.route('**/api/live', (route) => route.abort());
    await page.goto(`/reservations/${site.id}?tab=reservations`);
    await page.getByRole('button', { name: `Decline ${pending.displayName}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    const told = page.getByRole('status').filter({ hasText: 'was declined' });
    await expect(told).toContainText(pending.firstName);
    await page.route('**/api/Guests/*', (route) => route.abort());
    const asked = page.waitForRequest((request) => request.method() === 'PATCH');
    await told.getByRole('button', { name: 'Undo' }).click();
    await asked;

    await signOut(other);
    await page.unroute('**/api/Guests/*');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByText(/not confirmed|before a change was confirmed/)).toBeVisible();
    // Asked once: a message would go by itself.
    expect(await page.locator('body').innerText()).not.toContain(pending.firstName);
  });
}
