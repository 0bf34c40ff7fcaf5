import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { latestCode, messages } from '../lib/outbox.ts';
import { expect, test } from '../lib/test.ts';

const PERSON = { email: 'rosa.vega@demo.example', password: 'Quiet-Meadow-4471', phone: '+16575550177' };

test('someone is invited to a site, accepts, gets another role, is disabled, enabled and removed', async ({
  openContext,
  server,
}) => {
  test.setTimeout(180_000);
  const admin = await (await openContext('admin')).newPage();
  await admin.goto('/user-management');
  await admin.getByRole('link', { name: MAIN_SITE }).click();
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText(`Users of ${MAIN_SITE}`);
  await admin.getByLabel('Rows per page').selectOption('25');

  await test.step('the invitation names site and role, in the chosen language', async () => {
    await admin.getByRole('button', { name: 'Send invite' }).click();
    const form = admin.getByRole('dialog');
    await form.getByLabel('Email').fill(PERSON.email);
    await form.getByLabel('First name').fill('Rosa');
    await form.getByLabel('Last name').fill('Vega');
    await form.getByLabel('Role').selectOption('Intake');
    await form.getByLabel('Invitation language').selectOption('Español');
    await form.getByRole('button', { name: 'Send invite' }).click();
    await expect(row(admin)).toContainText('Invited');
  });

  const page = await (await openContext(null)).newPage();
  await test.step('a second invitation to the same site is refused at the email', async () => {
    await admin.getByRole('button', { name: 'Send invite' }).click();
    const form = admin.getByRole('dialog');
    await form.getByLabel('Email').fill(PERSON.email);
    await form.getByLabel('First name').fill('Rosa');
    await form.getByLabel('Last name').fill('Vega');
    await form.getByRole('button', { name: 'Send invite' }).click();
    await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('the link leads to a password, a phone and the site', async () => {
    const mail = (await messages(page.request, server.origin)).find(({ to }) => to === PERSON.email);
    const link = /https?:\/\/\S+#access_token=[^\s"<]+/.exec(mail?.body ?? '')?.[0];
    await page.goto(link ?? 'no link in the mail');
    await page.getByLabel('New password', { exact: true }).fill(PERSON.password);
    await page.getByLabel('Confirm new password').fill(PERSON.password);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Mobile phone').fill(PERSON.phone.slice(2));
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
    await page.getByLabel('Confirmation code').fill(await latestCode(page.request, server.origin, PERSON.phone));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page).toHaveURL(/\/organizations$/);
  });

  await test.step('roles, disabling and removal work on the next call', async () => {
    await admin.reload();
    await expect(row(admin)).toContainText('Active');
    await choose(admin, 'Change role to Staff');
    await expect(row(admin)).toContainText('Staff');
    expect((await userInfo(page)).role_staff_site_ids).not.toBe('');
    await choose(admin, 'Disable');
    await expect(row(admin)).toContainText('Disabled');
    expect((await page.request.get('/connect/userinfo')).status()).toBe(401);
    await choose(admin, 'Enable');
    await expect(row(admin)).toContainText('Active');
    await choose(admin, 'Delete');
    await admin.getByRole('dialog', { name: 'Confirm User Removal' }).getByRole('button', { name: 'Remove' }).click();
    await expect(row(admin)).toHaveCount(0);
  });
});

function row(page: Page) {
  return page.getByRole('row').filter({ hasText: PERSON.email });
}

async function choose(page: Page, entry: string): Promise<void> {
  await row(page)
    .getByRole('button', { name: `Actions for ${PERSON.email}` })
    .click();
  const item = page.getByRole('menuitem', { name: entry, exact: true });
  await expect(item).toBeVisible();
  // By keyboard: a message may lie over the menu.
  await item.press('Enter');
}

async function userInfo(page: Page): Promise<Record<string, unknown>> {
  return (await (await page.request.get('/connect/userinfo')).json()) as Record<string, unknown>;
}
