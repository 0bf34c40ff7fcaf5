import { MAIN_SITE, OTHER_SITE } from '../lib/accounts.ts';
import { fillNewGuest, isNewGuest, openNewGuest, submitNewGuest } from '../lib/new-guest.ts';
import { expect, test } from '../lib/test.ts';

test('a guest added by hand is checked field by field, has no hold, and a third reservation is asked about', async ({
  openContext,
  apiAs,
}) => {
  const admin = await apiAs('admin');
  const site = await admin.siteCalled(OTHER_SITE);
  const { vacant, pending } = site.counts;
  expect(vacant - pending, 'without a free bed for each guest, the form asks for a reason').toBeGreaterThan(2);
  const page = await (await openContext('admin')).newPage();
  await page.goto(`/reservations/${site.id}?tab=reservations`);

  const form = await openNewGuest(page);
  await form.getByRole('button', { name: 'Add guest' }).click();
  for (const text of ['Gender is a required field.', 'Age is a required field.', 'Email must be a valid email']) {
    await expect(form.getByText(text)).toBeVisible();
  }
  await fillNewGuest(form, 'Beatrice');
  // Leaving is asked about once something was typed.
  await form.getByRole('button', { name: 'Close' }).click();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('First name')).toHaveValue('Beatrice');
  await submitNewGuest(page, form, 201);
  await page.getByRole('row').filter({ hasText: 'Beatrice' }).click();
  const details = page.getByRole('dialog', { name: /^Reservation / });
  await expect(details.getByRole('definition').filter({ hasText: 'N/A' })).toBeVisible();
  await details.getByRole('button', { name: 'Close' }).click();

  const second = await openNewGuest(page);
  await fillNewGuest(second, 'Beatrice');
  await submitNewGuest(page, second, 201);

  const third = await openNewGuest(page);
  await fillNewGuest(third, 'Beatrice');
  await submitNewGuest(page, third, 409);
  const ask = page.getByRole('dialog', { name: 'A third reservation?' });
  const allowed = page.waitForResponse(isNewGuest);
  await ask.getByRole('button', { name: 'Add anyway' }).click();
  expect((await allowed).status()).toBe(201);
  await expect(page.getByRole('row').filter({ hasText: 'Beatrice' })).toHaveCount(3);

  const added = (await admin.guests(site.id)).filter(({ firstName }) => firstName === 'Beatrice');
  expect(added.map(({ source, expiresAt }) => [source, expiresAt])).toEqual(
    Array.from({ length: 3 }, () => ['Admin', null]),
  );
  for (const guest of added) await admin.command(guest, 'REJECTED');
});

test('a minor at a site for adults is warned of, and added once somebody has said so', async ({
  openContext,
  apiAs,
}) => {
  const admin = await apiAs('admin');
  const site = await admin.siteCalled(MAIN_SITE);
  const page = await (await openContext('intake')).newPage();
  await page.goto(`/reservations/${site.id}?tab=reservations`);

  const form = await openNewGuest(page);
  await fillNewGuest(form, 'Minnie');
  await form.getByRole('button', { name: 'Other ages' }).click();
  await form.getByRole('radio', { name: 'Under 18' }).check();
  await expect(form.getByText(`${MAIN_SITE} does not accept guests under 18.`)).toBeVisible();
  await form.getByRole('button', { name: 'Add guest' }).click();
  await expect(form.getByText('Check this box to add the guest anyway.')).toBeVisible();
  await form.getByRole('checkbox', { name: 'Add the guest anyway' }).check();
  await submitNewGuest(page, form, 201);

  const added = (await admin.guests(site.id)).filter(({ firstName }) => firstName === 'Minnie');
  expect(added).toHaveLength(1);
  for (const guest of added) await admin.command(guest, 'REJECTED');
});

test('a half-filled form stands in front of the tabs of a site, and the way back to another tab asks', async ({
  openContext,
  apiAs,
}) => {
  const site = await (await apiAs('admin')).siteCalled(MAIN_SITE);
  const page = await (await openContext('intake')).newPage();
  await page.goto(`/reservations/${site.id}?tab=guests`);
  await page.getByRole('tab', { name: /^Reservations/ }).click();
  const other = await page.getByRole('tab', { name: /^Guests/ }).boundingBox();
  if (!other) throw new Error('There is no other tab.');
  const form = await openNewGuest(page);
  await form.getByLabel('First name').pressSequentially('Greta');

  // A press where the other tab is lands beside the form, and changes nothing.
  await page.mouse.click(other.x + other.width / 2, other.y + other.height / 2);
  await expect(form.getByLabel('First name')).toHaveValue('Greta');
  await expect(page).toHaveURL(/tab=reservations/);
  await page.goBack();
  await expect(page.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('First name')).toHaveValue('Greta');
  await expect(page).toHaveURL(/tab=reservations/);
});
