import type { Locator, Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { expectNoViolations } from '../lib/axe.ts';
import { expect, test } from '../lib/test.ts';

const list = (page: Page) => page.getByRole('list', { name: 'Saved cards' });
const card = (page: Page, digits: string) => list(page).getByRole('listitem').filter({ hasText: digits });

/** Opens the form and types a card; gives the dialog. */
async function typeCard(page: Page, number: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Add new card' });
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Add new card' }).click();
  await dialog.getByRole('textbox', { name: 'Card number' }).fill(number);
  await dialog.getByRole('textbox', { name: 'Expiration date' }).fill('0440');
  await dialog.getByRole('textbox', { name: 'Security code' }).fill('123');
  await dialog.getByRole('button', { name: 'Save card' }).click();
  return dialog;
}

async function choose(page: Page, digits: string, action: string): Promise<void> {
  await card(page, digits).getByRole('button').click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('an owner adds a card, is refused one, makes one the default, deletes one, and sees the billing page', async ({
  openContext,
  apiAs,
}) => {
  test.setTimeout(120_000);
  const owner = await (await openContext('owner')).newPage();
  await owner.goto('/organizations');
  await owner.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Credit cards' }).click();
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Credit cards');
  await expect(owner.getByText('Test payments: no card is charged')).toBeVisible();
  await expect(card(owner, '4242')).toContainText('Default');
  await expect(card(owner, '4444')).toContainText('Mastercard ending in 4444');

  await test.step('a number that is none of the test numbers, and a card without money, are refused', async () => {
    const dialog = await typeCard(owner, '4539578763621486');
    await expect(dialog.getByText(/^Only Stripe's test numbers work here/)).toBeVisible();
    await typeCard(owner, '4000000000009995');
    await expect(dialog.getByRole('alert')).toHaveText('Your card has insufficient funds.');
  });

  await test.step('a card whose bank asks is saved with the word of its holder', async () => {
    const dialog = await typeCard(owner, '4000002500003155');
    await dialog.getByRole('button', { name: 'Complete authentication' }).click();
    await expect(dialog).toBeHidden();
    await expect(card(owner, '3155')).toContainText('Expires 4/40');
  });

  await test.step('another card becomes the default', async () => {
    await choose(owner, '3155', 'Make default');
    await expect(card(owner, '3155')).toContainText('Default');
    await expect(card(owner, '4242')).not.toContainText('Default');
    await owner.reload();
    await expect(list(owner).getByRole('listitem').first()).toContainText('3155');
  });

  await test.step('the default is deleted, and another one takes its place', async () => {
    await choose(owner, '3155', 'Delete');
    await owner.getByRole('dialog').getByRole('button', { name: 'Delete card' }).click();
    await expect(card(owner, '3155')).toBeHidden();
    await expect(list(owner).getByText('Default')).toHaveCount(1);
  });

  await test.step('the billing page shows the cards and leads back', async () => {
    await owner.getByRole('button', { name: 'Manage Billing Info' }).click();
    await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Billing information');
    await expectNoViolations(owner, 'the billing page');
    await owner.getByRole('button', { name: 'Make default: visa ending in 4242' }).click();
    await owner.getByRole('link', { name: 'Return to Berth' }).click();
    await expect(card(owner, '4242')).toContainText('Default');
  });

  await test.step('others are sent home', async () => {
    const site = await (await apiAs('owner')).siteCalled(MAIN_SITE);
    const admin = await (await openContext('admin')).newPage();
    await admin.goto(`/cards/${site.organizationId}`);
    await expect(admin).toHaveURL(/\/organizations$/);
    await expect(admin.getByRole('link', { name: 'Credit cards' })).toBeHidden();
  });
});

test('the first card of an organization asks for an address for receipts', async ({ openContext }) => {
  const global = await (await openContext('global')).newPage();
  await global.goto('/paid-rehabs');
  const link = global.getByRole('link', { name: /^Sierra Vista/ });
  const organizationId = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
  await global.goto(`/cards/${organizationId}`);
  await expect(global.getByText('No saved cards')).toBeVisible();
  await global.getByRole('button', { name: 'Add new card' }).click();
  const email = global.getByRole('dialog').getByRole('textbox', { name: 'Email for receipts' });
  await email.fill('billing@sierra.example');
  await typeCard(global, '4242424242424242');
  await expect(card(global, '4242')).toContainText('Default');
});
