import type { Page, Route } from '@playwright/test';
import { ACCOUNTS } from '../lib/accounts.ts';
import { fillNewPassword } from '../lib/administration.ts';
import { signInByApi } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';

const FIRST = 'token=berth_p_first&userId=11111111-1111-4111-8111-111111111111';
const SECOND = 'token=berth_p_second&userId=22222222-2222-4222-8222-222222222222';

/** Holds the sign-in by a link back; returns how it goes on. */
async function holdSignIn(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route('**/connect/token', (route) => {
    held.push(route);
  });
  return async () => {
    expect(held).toHaveLength(1);
    // The page may have given it up.
    await held[0]?.continue().catch(() => {});
  };
}

/** Holds back who has signed in by a link, which the page asks next; returns how it goes on. */
async function holdUserAfterSignIn(page: Page): Promise<{ isHeld: () => boolean; release: () => Promise<void> }> {
  let isSignedIn = false;
  let held: Route | undefined;
  await page.route('**/connect/token', async (route) => {
    const response = await route.fetch();
    isSignedIn = true;
    await route.fulfill({ response });
  });
  await page.route('**/connect/userinfo**', async (route) => {
    if (isSignedIn && !held) held = route;
    else await route.continue();
  });
  return {
    isHeld: () => held !== undefined,
    release: async () => {
      await held?.continue().catch(() => {});
    },
  };
}

/** Follows the link of an invitation to the page for the first password. */
async function openInvitation(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Create a new password' })).toBeVisible();
}

/** No session is open, so that the next person at the computer cannot go on with it. */
async function expectNobody(page: Page): Promise<void> {
  const isSomebody = async () => (await page.request.get('/connect/userinfo?orNobody=true')).status();
  await expect.poll(isSomebody).toBe(204);
  await page.goto('/create-password');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

/** All places of a tab in which a link could be left. */
async function keptInTab(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([location.href, history.state, Object.entries(sessionStorage), Object.entries(localStorage)]),
  );
}

test('the link that was followed last counts, also in the tab that shows another, and none stays in its history', async ({
  openContext,
}) => {
  const page = await (await openContext(null)).newPage();
  const sent: unknown[] = [];
  await page.route('**/api/Users/password', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.continue();
  });
  await page.goto('/login');
  await page.goto(`/reset-password#${FIRST}`);
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('half a pass');

  // The address of the tab is typed over: only what is behind the hash differs.
  await page.goto(`/reset-password#${SECOND}`);
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('');
  expect(await keptInTab(page)).not.toContain('berth_p_');
  await fillNewPassword(page, 'Quiet-Meadow-4471');
  await expect.poll(() => sent).toEqual([expect.objectContaining({ token: 'berth_p_second' })]);

  await page.goBack();
  await expect(page).toHaveURL(/\/reset-password$/);
  expect(await keptInTab(page)).not.toContain('berth_p_');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(page.getByRole('alert')).toContainText('This link is incomplete');
  expect(await keptInTab(page)).not.toContain('berth_p_');
});

test('a page that said its link is incomplete takes the whole one', async ({ openContext }) => {
  const page = await (await openContext(null)).newPage();
  await page.goto('/reset-password');
  await expect(page.getByRole('alert')).toContainText('This link is incomplete');
  await page.goto(`/reset-password#${FIRST}`);
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
  expect(await keptInTab(page)).not.toContain('berth_p_');
});

for (const way of ['Logout', 'Back'] as const) {
  test(`an invitation that was left by ${way} is not followed again by the Back of the browser`, async ({
    openContext,
    server,
  }) => {
    const page = await (await openContext(null)).newPage();
    await openInvitation(page, server.invite(`left.by.${way.toLowerCase()}@demo.example`));
    await page.getByRole('link', { name: way }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect((await page.request.get('/connect/userinfo?orNobody=true')).status()).toBe(204);
  });
}

test.describe('an invitation whose page was left is over for the next person', () => {
  test('before the password, by Back to the sign-in', async ({ openContext, server }) => {
    const page = await (await openContext(null)).newPage();
    await page.goto('/login');
    await openInvitation(page, server.invite('left.before.password@demo.example'));
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expectNobody(page);
  });

  for (const next of ['Forward', 'the first page'] as const) {
    test(`before the password, by Back to a page that asks for nobody: ${next}`, async ({ openContext, server }) => {
      const page = await (await openContext(null)).newPage();
      await page.goto('/find');
      await openInvitation(page, server.invite(`left.for.find.${next.length}@demo.example`));
      await page.goBack();
      await expect(page).toHaveURL(/\/find$/);
      await (next === 'Forward' ? page.goForward() : page.goto('/'));
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expectNobody(page);
    });
  }

  test('before the phone, also where its page is typed', async ({ openContext, server }) => {
    const page = await (await openContext(null)).newPage();
    await page.goto('/login');
    await page.goto(server.invite('left.before.phone@demo.example'));
    await fillNewPassword(page, 'Quiet-Meadow-4471');
    await expect(page.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible();
    await page.goto('/two-factor-setup');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expectNobody(page);
  });
});

test('an invitation whose tab was closed leads nobody on in another tab, also where that was loaded again', async ({
  openContext,
  server,
}) => {
  const context = await openContext(null);
  const other = await context.newPage();
  await other.goto('/faq');
  const page = await context.newPage();
  await openInvitation(page, server.invite('closed.before.password@demo.example'));
  await page.close();
  await other.reload();
  await other.getByRole('link', { name: 'Berth, home page' }).click();
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectNobody(other);
});

test('the page for the first password goes on after it was loaded again, and beside another page of Berth', async ({
  openContext,
  server,
}) => {
  const context = await openContext(null);
  const page = await context.newPage();
  await openInvitation(page, server.invite('goes.on@demo.example'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Create a new password' })).toBeVisible();
  await openInvitation(page, server.invite('goes.on.beside@demo.example'));
  const beside = await context.newPage();
  await beside.goto('/login');
  await expect(beside.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await fillNewPassword(page, 'Quiet-Meadow-4471');
  await expect(page.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible();
  await beside.goto('/terms-and-conditions');
  await expect(beside.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByLabel('Phone').fill('6575550177');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
});

test.describe('an invitation that is being sent', () => {
  test('is given up by Back: nobody is signed in', async ({ openContext, server }) => {
    const page = await (await openContext(null)).newPage();
    const release = await holdSignIn(page);
    await page.goto('/login');
    await page.goto(server.invite('sent.then.back@demo.example'));
    await expect(page.getByText('One moment, please')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await release();
    expect((await page.request.get('/connect/userinfo?orNobody=true')).status()).toBe(204);
  });

  test('is given up by Back when the server has answered, too', async ({ openContext, server }) => {
    const page = await (await openContext(null)).newPage();
    await page.goto('/login');
    const { isHeld, release } = await holdUserAfterSignIn(page);
    await page.goto(server.invite('answered.then.back@demo.example'));
    await expect.poll(isHeld).toBe(true);
    expect((await page.request.get('/connect/userinfo?orNobody=true')).status()).toBe(200);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await release();
    await expectNobody(page);
  });

  test('is given up by "Stay signed in" when the server has answered: nobody sets the password', async ({
    openContext,
    server,
  }) => {
    const page = await (await openContext(null)).newPage();
    // A session of its own: this one ends, and other tests go on with the one that they share.
    await signInByApi(page.request, server.origin, 'intake');
    const { isHeld, release } = await holdUserAfterSignIn(page);
    await page.goto(server.invite('answered.then.stayed@demo.example'));
    await page.getByRole('button', { name: 'Use the link' }).click();
    await expect.poll(isHeld).toBe(true);
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await release();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expectNobody(page);
  });

  test('is given up by "Stay signed in": the user stays', async ({ openContext, server }) => {
    const page = await (await openContext('staff')).newPage();
    const release = await holdSignIn(page);
    await page.goto(server.invite('sent.then.stayed@demo.example'));
    await page.getByRole('button', { name: 'Use the link' }).click();
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible();
    await release();
    const user = (await (await page.request.get('/connect/userinfo')).json()) as { email: string };
    expect(user.email).toBe(ACCOUNTS.staff.email);
    await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible();
  });
});
