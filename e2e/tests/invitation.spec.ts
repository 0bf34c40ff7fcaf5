import type { Page } from '@playwright/test';
import { fillNewPassword } from '../lib/administration.ts';
import { ALL_RULES, COLOR_RULES, expectNoViolations } from '../lib/axe.ts';
import { latestCode } from '../lib/outbox.ts';
import { expect, test } from '../lib/test.ts';

const PASSWORD = 'Quiet-Meadow-4471';
const PHONE = '+16575550142';

test('an invited person sets a password and a phone, and signs in with the first code; the link works once', async ({
  openContext,
  server,
}) => {
  test.setTimeout(180_000);
  const link = server.invite('nell.porter@demo.example');
  const page = await (await openContext(null)).newPage();

  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Create a new password' })).toBeVisible();
  expect(page.url(), 'the token has left the address').not.toContain('access_token');
  await page.getByRole('button', { name: 'Show Requirements' }).click();
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByLabel('Confirm new password').fill('other');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Passwords must match')).toBeVisible();
  await expectNoViolationsInAnyLook(page, 'create password');
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();

  await expect(page.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible();
  await expectNoViolationsInAnyLook(page, 'two-factor set-up');
  await page.getByLabel('Mobile phone').fill(PHONE.slice(2));
  await page.getByRole('button', { name: 'Send code' }).click();

  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expectNoViolationsInAnyLook(page, 'two-factor confirm');
  await page.getByLabel('Confirmation code').fill(await latestCode(page.request, server.origin, PHONE));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/free-rehabs$/);
  await expectNoViolationsInAnyLook(page, 'list of a global admin');

  // Whoever is signed in is asked first; then the server says that the link was used.
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'You are signed in as nell.porter@demo.example' })).toBeVisible();
  await expectNoViolationsInAnyLook(page, 'link while signed in');
  await page.getByRole('button', { name: 'Use the link' }).click();
  await expect(page.getByRole('heading', { name: 'You already have an account' })).toBeVisible();
  await expect(page.getByLabel('New password')).toBeHidden();
});

test('an interrupted invitation goes on by the same link until its password is saved', async ({
  openContext,
  server,
}) => {
  const link = server.invite('iris.stone@demo.example');
  const first = await (await openContext(null)).newPage();
  await first.goto(link);
  await expect(first.getByRole('heading', { name: 'Create a new password' })).toBeVisible();
  await expect(first.getByRole('link', { name: 'Logout' })).toBeVisible();
  await first.context().close();

  const page = await (await openContext(null)).newPage();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Create a new password' })).toBeVisible();
  // The first step ends while the person thinks; the open page follows the link by itself.
  await page.context().clearCookies();
  await fillNewPassword(page, PASSWORD);
  await expect(page.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible();

  const late = await (await openContext(null)).newPage();
  await late.goto('/create-password');
  await expect(late.getByText('Were you invited? Open the link in your invitation again')).toBeVisible();
});

/** These screens cannot be opened by their address alone, so the look changes under them. */
async function expectNoViolationsInAnyLook(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      const rules = colorScheme === 'dark' ? COLOR_RULES : ALL_RULES;
      await expectNoViolations(page, `${name} (${colorScheme}, ${width} wide)`, rules);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
