import { MAIN_SITE } from '../lib/accounts.ts';
import { takenPlaces } from '../lib/api.ts';
import { expect, test } from '../lib/test.ts';

test('an owner adds a house with beds, takes one out of service, and cannot touch an occupied one', async ({
  openContext,
  apiAs,
}) => {
  const site = await (await apiAs('owner')).siteCalled(MAIN_SITE);
  const [taken] = takenPlaces(site);
  if (!taken?.bed.guest) throw new Error('Nobody has a bed.');
  const watching = await (await openContext('admin')).newPage();
  await watching.goto(`/reservations/${site.id}`);

  const page = await (await openContext('owner')).newPage();
  await page.goto(`/organizations/${site.organizationId}/${site.id}`);

  await page.getByRole('button', { name: 'Add House' }).click();
  const addHouse = page.getByRole('dialog', { name: 'Add House' });
  await addHouse.getByLabel('House name').fill('Garden House');
  await addHouse.getByRole('button', { name: 'Add House' }).click();
  const house = page.getByRole('region', { name: 'Garden House' });
  await expect(house).toBeVisible();

  await page.getByRole('button', { name: 'Add Bed to Garden House' }).click();
  const addBeds = page.getByRole('dialog', { name: 'Add beds to Garden House' });
  await addBeds.getByLabel('Type').selectOption('Detox');
  await expect(addBeds.getByLabel('Bed name')).toHaveValue('Detox');
  await addBeds.getByRole('button', { name: 'One bed more' }).click();
  await addBeds.getByRole('button', { name: 'Add Multiple Beds' }).click();
  await expect(house.getByText('2 of 2 vacant')).toBeVisible();
  // Whoever looks at the site sees it without a reload.
  await expect(watching.getByRole('region', { name: 'Garden House' }).getByText('2 of 2 vacant')).toBeVisible();

  await page.getByRole('button', { name: 'Actions for Detox #1, Garden House' }).click();
  await page.getByRole('menuitem', { name: 'Disable Bed' }).click();
  const disable = page.getByRole('dialog', { name: 'Disable Detox #1?' });
  await disable.getByRole('textbox', { name: 'Reason' }).pressSequentially('Water damage');
  await disable.getByRole('button', { name: 'Disable Bed' }).click();
  // A dialog that closes gives the focus back, which would close a menu opened meanwhile.
  await expect(disable).toBeHidden();
  await expect(house.getByText('1 of 2 vacant · 1 disabled')).toBeVisible();
  await expect(
    watching.getByRole('region', { name: 'Garden House' }).getByText('Out of service: Water damage'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Detox #1, Garden House' }).click();
  await page.getByRole('menuitem', { name: 'Change Reason' }).click();
  const change = page.getByRole('dialog', { name: 'Why is Detox #1 disabled?' });
  await change.getByRole('textbox', { name: 'Reason' }).pressSequentially(' in the ceiling');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change).toBeHidden();
  await expect(house.getByText('Water damage in the ceiling')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Detox #1, Garden House' }).click();
  await page.getByRole('menuitem', { name: 'History of this bed' }).click();
  const history = page.getByRole('dialog', { name: 'History of Detox #1, Garden House' });
  await expect(history.getByRole('row', { name: 'Water damage in the ceiling' })).toContainText('Disabled now');
  await page.keyboard.press('Escape');
  await expect(history).toBeHidden();

  await page.getByRole('button', { name: `Actions for ${taken.bed.name}, ${taken.house}` }).click();
  await page.getByRole('menuitem', { name: 'Remove Bed' }).click();
  const refusal = page.getByRole('dialog', { name: "You can't remove the Bed" });
  await expect(refusal).toContainText(`${taken.bed.guest.displayName} occupies ${taken.bed.name}.`);
  await refusal.getByRole('button', { name: 'Close' }).click();
  await expect(refusal).toBeHidden();

  await page.getByRole('button', { name: 'Actions for Garden House', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete House' }).click();
  await page
    .getByRole('dialog', { name: 'Delete Garden House?' })
    .getByRole('button', { name: 'Delete House' })
    .click();
  await expect(house).toBeHidden();
});
