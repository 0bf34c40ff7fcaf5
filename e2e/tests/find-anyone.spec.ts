import { expectNoViolations } from '../lib/axe.ts';
import { MAIN_SITE } from '../lib/accounts.ts';
import { reserve } from '../lib/api.ts';
import { expect, test } from '../lib/test.ts';

/** Types key by key, as a person at the telephone does. */
const SLOWLY = { delay: 20 };

test('an intake user finds a guest by the last digits of the phone, by keyboard alone', async ({
  openContext,
  apiAs,
}) => {
  const intake = await apiAs('intake');
  const page = await (await openContext('intake')).newPage();
  const site = await intake.siteCalled(MAIN_SITE);
  const guest = await reserve(page.request, intake, site, 'Quillon');
  const digits = (guest.phone ?? '').slice(-4);
  expect(digits).toMatch(/^\d{4}$/);

  await page.goto('/history');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Find a guest, site or organization' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find a guest, site or organization' });
  await expect(field).toBeFocused();
  await field.pressSequentially(digits, SLOWLY);
  const line = page.getByRole('option').filter({ hasText: guest.displayName });
  await expect(line).toContainText(MAIN_SITE);
  await expectNoViolations(page, 'the search');
  expect(page.url(), 'what is searched for stays out of the address').not.toContain(digits);
  while ((await line.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/reservations/guest/${site.id}/${guest.id}$`));
  await expect(page.getByRole('heading', { name: 'Quillon Q.' })).toBeVisible();

  // A reservation that waits is accepted from there, too.
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await field.pressSequentially('accept quillon', SLOWLY);
  await expect(page.getByRole('option', { name: new RegExp(`^Accept ${guest.displayName}`) })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/reservations-request/${guest.id}$`));
});

test('staff find the guest by code on a phone, without a phone number and without actions', async ({
  openContext,
  apiAs,
}) => {
  const intake = await apiAs('intake');
  const context = await openContext('staff', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const guest = await reserve(page.request, intake, await intake.siteCalled(MAIN_SITE), 'Quinlan');

  await page.goto('/organizations');
  await page.getByRole('button', { name: 'Find a guest, site or organization' }).tap();
  const field = page.getByRole('combobox');
  await field.pressSequentially(guest.code.toLowerCase(), SLOWLY);
  const line = page.getByRole('option').filter({ hasText: guest.displayName });
  await expect(line).toBeVisible();
  await expect(line).not.toContainText('+1');
  await expect(page.getByRole('group', { name: 'Actions' })).toHaveCount(0);
  await expectNoViolations(page, 'the search on a phone');
  await field.fill((guest.phone ?? '').slice(-4));
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await field.fill(guest.code);
  await line.tap();
  await expect(page).toHaveURL(new RegExp(`/reservations/guest/.*/${guest.id}$`));
});

test('the form for a new guest opens from the search without complaint, with the focus in its first field', async ({
  openContext,
}) => {
  const page = await (await openContext('intake')).newPage();
  await page.goto('/history');
  await expect(page.getByRole('button', { name: 'Find a guest, site or organization' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').pressSequentially(`new guest at ${MAIN_SITE.slice(0, 6)}`, SLOWLY);
  await expect(page.getByRole('option', { name: new RegExp(MAIN_SITE) })).toBeVisible();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'New Guest' });
  await expect(form.getByLabel('First name')).toBeFocused();
  await expect(form.getByText('Required field')).toHaveCount(0);
});
