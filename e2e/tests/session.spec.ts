import type { BrowserContext, Page } from '@playwright/test';
import { ACCOUNTS, PASSWORD } from '../lib/accounts.ts';
import { latestCode } from '../lib/outbox.ts';
import { click, fillSignIn, signInByApi } from '../lib/sign-in.ts';
import { loseCode } from '../lib/lost-code.ts';
import { expect, test } from '../lib/test.ts';

test('the error screen counts down to the sign-in page, and any key stops it', async ({ openContext }) => {
  const page = await (await openContext(null)).newPage();
  await page.clock.install();
  await page.goto('/error?message=The%20link%20is%20too%20old.&source=Invitation');
  await expect(page.getByRole('alert')).toHaveText('The link is too old.');
  await expect(page.getByText('Returning to the sign-in page in 5 seconds.')).toBeVisible();
  await page.keyboard.press('Shift');
  await expect(page.getByText('You will stay on this page.')).toBeVisible();
  await page.clock.runFor(20_000);
  await expect(page).toHaveURL(/\/error/);

  await page.reload();
  await expect(page.getByText('Returning to the sign-in page in 5 seconds.')).toBeVisible();
  for (let second = 0; second < 6; second += 1) await page.clock.runFor(1000);
  await expect(page).toHaveURL(/\/login/);
});

test('before the idle limit the user is asked, may stay, and is otherwise signed out on the server too', async ({
  openContext,
  server,
}) => {
  // A session of its own: it ends here.
  const context = await openContext(null);
  await signInByApi(context.request, server.origin, 'otherOwner');
  const page = await context.newPage();
  await page.clock.install();
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible();

  await page.clock.fastForward('14:10');
  const question = page.getByRole('dialog', { name: 'Are you still there?' });
  await expect(question).toBeVisible();
  const extended = page.waitForResponse(/\/connect\/extend/);
  await question.getByRole('button', { name: 'Stay signed in' }).click();
  expect((await extended).status()).toBe(204);
  await expect(question).toBeHidden();

  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Organization name' }).pressSequentially(' East');
  await page.clock.fastForward('14:10');
  await expect(question).toBeVisible();
  const ended = page.waitForResponse(/\/connect\/logout/);
  await page.clock.fastForward('01:00');
  expect((await ended).status()).toBe(204);
  await expect(page.getByText('You were signed out because you were inactive.')).toBeVisible();
  await expect(page.getByText('You were signed out before a form was saved.')).toBeVisible();
  expect((await context.request.get('/api/Organizations')).status()).toBe(401);
});

test('a wrong code is refused in words, and the right one still works', async ({ openContext, server }) => {
  const { phone } = ACCOUNTS.ownerFree;
  const page = await (await openContext(null)).newPage();
  await page.goto('/login');
  await fillSignIn(page, 'ownerFree', click);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Logout' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Help' })).toBeVisible();
  const right = await latestCode(page.request, server.origin, phone);
  await page.getByLabel('Confirmation code').fill(right === '000000' ? '111111' : '000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid confirmation code.');
  await page.getByLabel('Confirmation code').fill(right);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/organizations$/);

  // No token is in reach of the page.
  const seen = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(seen).not.toMatch(/berth_[a-z]_/);
  expect(seen).not.toContain(PASSWORD);

  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect((await page.request.get('/api/Organizations')).status()).toBe(401);
});

test('who signs out in one tab is signed out in the others at once', async ({ openContext, server }) => {
  // A session of its own: it ends here.
  const context = await openContext(null);
  await signInByApi(context.request, server.origin, 'staff');
  const [first, second] = [await context.newPage(), await context.newPage()];
  for (const page of [first, second]) {
    await page.goto('/organizations');
    await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible();
  }
  // No event of the server and no refused call can tell the second tab: it hears of it from the first one.
  await second.route('**/{api,connect}/**', (route) => route.abort());
  const signedOut = first.waitForResponse(/\/connect\/logout/);
  await first.getByRole('link', { name: 'Logout' }).click();
  expect((await (await signedOut).allHeaders())['clear-site-data']).toBe('"cache"');
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Organizations' })).toBeHidden();
});

/** A page that is being closed still asks again if the network comes back in that moment. A page that crashes cannot. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const tools = await page.context().newCDPSession(page);
  void tools.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}

test('a logout without a network shows nothing more, and ends the session once the network is back', async ({
  openContext,
  server,
}) => {
  // A session of its own: it ends here.
  const context = await openContext(null);
  await signInByApi(context.request, server.origin, 'otherStaff');
  const page = await context.newPage();
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible();
  // The screen is whole, and with it the code that signs out.
  await expect(page.getByRole('heading', { name: /^Needs a decision/ })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByRole('alert').getByRole('heading', { name: 'You are still signed in' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Profile' })).toBeHidden();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(async () => (await context.request.get('/api/Organizations')).status()).toBe(401);
});

test('whoever comes next finds no session that somebody ended without a network', async ({ openContext, server }) => {
  const context = await openContext(null);
  await signInByApi(context.request, server.origin, 'freeIntake');
  const page = await context.newPage();
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible();
  // The screen is whole, and with it the code that signs out.
  await expect(page.getByRole('heading', { name: /^Needs a decision/ })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'You are still signed in' })).toBeVisible();
  await crash(page);
  await context.setOffline(false);
  // The cookie of the session is still there.
  expect((await context.request.get('/api/Organizations')).status()).toBe(200);
  const next = await context.newPage();
  await next.goto('/organizations');
  await expect(next.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect((await context.request.get('/api/Organizations')).status()).toBe(401);
});

for (const { what, account, lose } of [
  {
    what: 'the network was gone',
    account: 'payingAdmin',
    lose: (context: BrowserContext) => context.setOffline(true),
  },
  {
    what: 'the server could not be reached',
    account: 'otherIntake',
    lose: (context: BrowserContext) => context.route('**', (route) => route.abort()),
  },
] as const) {
  test(`nor do they where ${what} before the code that signs out had come`, async ({ openContext, server }) => {
    const context = await openContext(null);
    await signInByApi(context.request, server.origin, account);
    const page = await context.newPage();
    const lost = await loseCode(page, 'logoutFailed.title', (route) => route.abort('internetdisconnected'));
    await page.goto('/organizations');
    await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible();
    await expect.poll(lost.count).toBeGreaterThan(0);
    const before = lost.count();
    await lose(context);
    await page.getByRole('link', { name: 'Logout' }).click();
    await expect.poll(lost.count).toBeGreaterThan(before);
    // A browser that does not know of the loss loads the page again, in another process than the one that would crash meanwhile.
    const failed = page.getByRole('heading', { name: 'Failed to load' });
    await expect.poll(async () => page.url().startsWith('chrome-error:') || (await failed.isVisible())).toBe(true);
    await crash(page);
    await context.setOffline(false);
    await context.unrouteAll();
    expect((await context.request.get('/api/Organizations')).status()).toBe(200);
    const next = await context.newPage();
    await next.goto('/organizations');
    await expect(next.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect((await context.request.get('/api/Organizations')).status()).toBe(401);
  });
}

test('a logout whose code had not come shows nothing more after Back, and ends the session with the network', async ({
  openContext,
  server,
}) => {
  const context = await openContext(null);
  await signInByApi(context.request, server.origin, 'payingOwner');
  const page = await context.newPage();
  const lost = await loseCode(page, 'logoutFailed.title', (route) => route.abort('internetdisconnected'));
  await page.goto('/organizations');
  await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible();
  await expect.poll(lost.count).toBeGreaterThan(0);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Failed to load' })).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/\/logout/);
  await expect(page.getByRole('heading', { name: 'Organizations' })).toBeHidden();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Profile' })).toBeHidden();
  await context.setOffline(false);
  await expect.poll(async () => (await context.request.get('/api/Organizations')).status()).toBe(401);
});

test('whoever is signed in keeps the frame on the pages for everyone', async ({ openContext }) => {
  const page = await (await openContext('admin')).newPage();
  for (const path of ['/contact-us', '/faq', '/privacy-policy', '/error?message=The%20link%20is%20too%20old.']) {
    await page.goto(path);
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: 'Logout' }), path).toBeVisible();
    await expect(header.getByRole('link', { name: 'Profile' }), path).toBeVisible();
    await expect(header.getByRole('button', { name: 'Help' }), path).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' }), path).toBeVisible();
  }
  const stranger = await (await openContext(null)).newPage();
  await stranger.goto('/faq');
  await expect(stranger.getByRole('banner')).toBeVisible();
  await expect(stranger.getByRole('link', { name: 'Logout' })).toBeHidden();
});

test('a wrong password and an unknown email get the same answer', async ({ openContext }) => {
  const page = await (await openContext(null)).newPage();
  const answers: (string | null)[] = [];
  for (const email of ['nobody@demo.example', 'someone.else@demo.example']) {
    await page.goto('/login');
    await fillSignIn(page, { email, password: 'Wrong-Harbor-1987' }, click);
    answers.push(await page.getByRole('alert').textContent());
  }
  expect(answers[0]).not.toBe('');
  expect(answers[0]).toBe(answers[1]);
});

test('language and colours are kept after a reload, and the page says its language', async ({ openContext }) => {
  const page = await (await openContext('admin')).newPage();
  await page.goto('/organizations');
  await page.getByRole('button', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Organizaciones');
  await page.getByRole('button', { name: /oscuro/i }).click();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Organizaciones');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  // The choice belongs to the account as well: those who come after this test want English.
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/Users/language') && response.ok());
  await page.getByRole('button', { name: 'English' }).click();
  await saved;
});
