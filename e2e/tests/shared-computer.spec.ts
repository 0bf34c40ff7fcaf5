import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { signInByApi } from '../lib/sign-in.ts';
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
