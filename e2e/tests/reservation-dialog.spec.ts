import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Guest, type Place, reserve, vacantPlaces, withRoomFor } from '../lib/api.ts';
import { expect, test } from '../lib/test.ts';

/** Opens the dialog of a reservation from the list, as a person does. */
async function openReservation(page: Page, siteId: string, guest: Guest) {
  await page.goto(`/reservations/${siteId}?tab=reservations`);
  await page.getByRole('row').filter({ hasText: guest.code }).getByText(guest.displayName).click();
  const dialog = page.getByRole('dialog', { name: `Reservation ${guest.code}` });
  await expect(dialog.getByRole('button', { name: 'Accept' })).toBeVisible();
  return dialog;
}

/** The list of reservations, with nothing open over it and nothing that complains. */
async function expectList(page: Page, siteId: string) {
  await expect(page).toHaveURL(new RegExp(`/reservations/${siteId}\\?tab=reservations$`));
  await expect(page.getByRole('tab', { name: /^Reservations/, selected: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('This reservation is no longer pending.')).toHaveCount(0);
}

test('a decision in the dialog of a reservation ends on the list and says what happened', async ({
  openContext,
  apiAs,
}) => {
  const admin = await apiAs('admin');
  const page = await (await openContext('intake')).newPage();
  const site = await withRoomFor(admin, MAIN_SITE, 2);
  const [goal] = vacantPlaces(site) as [Place];
  const accepted = await reserve(page.request, admin, site, 'Imogen');
  const declined = await reserve(page.request, admin, site, 'Horace');

  await test.step('back before a bed is chosen', async () => {
    const dialog = await openReservation(page, site.id, accepted);
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByRole('heading', { name: 'Assign a bed' })).toBeVisible();
    await page.goBack();
    await expectList(page, site.id);
  });

  await test.step('accept', async () => {
    const dialog = await openReservation(page, site.id, accepted);
    await dialog.getByRole('button', { name: 'Accept' }).click();
    const choice = page.getByRole('radio', { name: `${goal.bed.name}, ${goal.house}` });
    await page.locator('label').filter({ has: choice }).click();
    await page.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect(page.getByRole('status').filter({ hasText: /Imogen.* is now in/ })).toBeVisible();
    await expectList(page, site.id);
    await expect(page.getByRole('row').filter({ hasText: accepted.code })).toHaveCount(0);
  });

  await test.step('decline', async () => {
    const dialog = await openReservation(page, site.id, declined);
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await page
      .getByRole('dialog', { name: /^Decline the reservation/ })
      .getByRole('button', { name: 'Decline' })
      .click();
    await expect(page.getByRole('status').filter({ hasText: /Horace.* was declined/ })).toBeVisible();
    await expectList(page, site.id);
  });

  await admin.command(accepted, 'DISCHARGED');
});
