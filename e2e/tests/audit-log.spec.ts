import { click, fillSignIn } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';

test('a sign-in that fails stands in the audit log, under Failed and in the whole trail', async ({ openContext }) => {
  const login = `nobody-${Date.now()}@demo.example`;
  const stranger = await (await openContext(null)).newPage();
  await stranger.goto('/login');
  const refused = stranger.waitForResponse(/\/connect\/token/);
  await fillSignIn(stranger, { email: login, password: 'Not-The-Password-1' }, click);
  expect((await refused).status()).toBe(400);

  const page = await (await openContext('global')).newPage();
  await page.goto('/dashboard');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit Log' }).click();
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: login })).toContainText('Sign-in failed');

  // By keyboard, from tab to tab; the address remembers where one is.
  await page.getByRole('tab', { name: 'Internal' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/\/logs\?tab=failed/);
  const failed = page.getByRole('table', { name: 'Failed sign-ins' });
  await expect(failed.getByRole('row').nth(1)).toContainText(login);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Failed' })).toHaveAttribute('aria-selected', 'true');
  await expect(failed.getByRole('row').filter({ hasText: login })).toBeVisible();

  for (const [tab, table] of [
    ['Guests', 'Guests added'],
    ['Password', 'Passwords set'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('table', { name: table }).getByRole('row').nth(1)).toBeVisible();
  }
});

test('the next page of the audit log is another one, and others than global admins are led home', async ({
  openContext,
}) => {
  const page = await (await openContext('global')).newPage();
  await page.goto('/logs?tab=guests');
  const table = page.getByRole('table', { name: 'Guests added' });
  await expect(table.getByRole('row')).toHaveCount(11);
  const first = await table.getByRole('row').nth(1).textContent();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=1/);
  await expect(table.getByRole('row').nth(1)).not.toHaveText(first ?? '');

  const intake = await (await openContext('intake')).newPage();
  await intake.goto('/logs');
  await expect(intake).toHaveURL(/\/organizations$/);
  expect((await intake.request.get('/api/EventLogs/internal')).status()).toBe(403);
});

test('an owner reads, filters and downloads the log of the organization and no other', async ({ openContext }) => {
  const page = await (await openContext('owner')).newPage();
  await page.goto('/organizations');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit Log' }).click();
  await expect(page.getByText('Everything that was done or viewed in your organization')).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  const table = page.getByRole('table', { name: 'All entries' });
  await expect(table.getByRole('row')).toHaveCount(11);

  await page.getByRole('combobox', { name: 'What happened' }).click();
  await page.getByRole('option', { name: 'Guest accepted' }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page).toHaveURL(/action=guest\.accepted/);
  await expect(table.getByRole('row').nth(1)).toContainText('Guest accepted');
  await expect(table.getByRole('row').filter({ hasNotText: 'Guest accepted' })).toHaveCount(1);

  const code = (await table.getByRole('row').nth(1).textContent())?.match(/[A-Z0-9]{6}(?=Guest)/)?.[0] ?? '';
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Guest (code)').fill(code);
  await page.keyboard.press('Enter');
  await expect(table.getByRole('row').filter({ hasText: code }).first()).toBeVisible();

  const loading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const file = await (await loading).createReadStream();
  const text = (await file.toArray()).join('');
  expect(text).toContain('42 CFR part 2 prohibits unauthorized use or disclosure of these records.');
  expect(text).toContain(code);
  expect((await page.request.get('/api/EventLogs/internal')).status()).toBe(403);
});
