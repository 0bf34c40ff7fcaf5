import { expect, type Locator, type Page } from '@playwright/test';
import { findWorld } from '../lib/screens/screen.ts';
import { openNewGuest } from '../lib/new-guest.ts';
import { test } from '../lib/test.ts';

/**
 * Presses where a control stands, as a hand does: down, what the page draws in the meantime, up. A control that moves away
 * between the two does not get the click.
 */
async function press(page: Page, control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('There is nothing to press.');
  // Near its upper edge, from which a small shift is enough to miss it.
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  await page.mouse.down();
  // A message that appears when a field is left is drawn in one of the next frames.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  });
  await page.mouse.up();
}

/** A field is left with something wrong in it, by pressing `control`: its message comes, and the press counts. */
async function leaveBy(page: Page, field: Locator, control: Locator, counted: () => Promise<void>): Promise<void> {
  await field.focus();
  await press(page, control);
  await counted();
  await expect(complaining(page, field)).toBeVisible();
}

/** The field, if it says that something is wrong with it; the kit marks password fields by another attribute. */
function complaining(page: Page, field: Locator): Locator {
  return field.and(page.locator('[aria-invalid=true], [data-invalid=true]'));
}

test.describe('the first press counts when the field that is left complains', () => {
  test('edit a site: an intake hour and a service', async ({ openContext, apiAs }) => {
    const { site } = await findWorld(await apiAs('admin'));
    // So high that the fields above are in the window when a choice below them is pressed.
    const page = await (await openContext('admin', { viewport: { width: 1360, height: 2600 } })).newPage();
    await page.goto(`/sites/${site.id}/edit`);

    const holidays = page.getByRole('checkbox', { name: 'Holidays' });
    await holidays.setChecked(false);
    const email = page.getByRole('textbox', { name: 'Email', exact: true });
    await email.fill('');
    await leaveBy(page, email, holidays, () => expect(holidays).toBeChecked());

    const service = page.getByRole('group', { name: 'Services' }).getByRole('checkbox').first();
    const was = await service.isChecked();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('');
    await leaveBy(page, name, service, () => expect(service).toBeChecked({ checked: !was }));
  });

  test('new site: Next', async ({ openContext, apiAs }) => {
    const { site } = await findWorld(await apiAs('admin'));
    const page = await (await openContext('owner')).newPage();
    await page.goto(`/sites/new/${site.organizationId}`);
    const address = page.getByRole('combobox', { name: 'Address' });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await leaveBy(page, address, page.getByRole('button', { name: 'Next' }), () => expect(name).toBeFocused());
  });

  test('new guest: a gender and a service', async ({ openContext, apiAs }) => {
    const { site } = await findWorld(await apiAs('admin'));
    const page = await (await openContext('intake')).newPage();
    await page.goto(`/reservations/${site.id}`);
    const form = await openNewGuest(page);
    const female = form.getByRole('radio', { name: 'Female' });
    await leaveBy(page, form.getByLabel('First name'), female, () => expect(female).toBeChecked());
    const service = form.getByRole('group', { name: 'Services needed' }).getByRole('checkbox').first();
    await leaveBy(page, form.getByLabel('Email'), service, () => expect(service).toBeChecked());
  });

  test('invitation: whether texts are wanted', async ({ openContext, apiAs }) => {
    const { site } = await findWorld(await apiAs('admin'));
    const page = await (await openContext('admin')).newPage();
    await page.goto(`/user-management/${site.id}`);
    await page.getByRole('button', { name: 'Send invite' }).click();
    const form = page.getByRole('dialog');
    const texts = form.getByRole('switch').or(form.getByRole('checkbox')).first();
    const was = await texts.isChecked();
    await leaveBy(page, form.getByLabel('Last name'), texts, () => expect(texts).toBeChecked({ checked: !was }));
  });

  test('new organization: Create', async ({ openContext }) => {
    const page = await (await openContext('global')).newPage();
    await page.goto('/paid-rehabs');
    await page.getByRole('button', { name: 'New Organization' }).click();
    const form = page.getByRole('dialog');
    const name = form.getByLabel('Organization name');
    const create = form.getByRole('button', { name: 'Create organization' });
    await leaveBy(page, form.getByLabel('Owner email'), create, () => expect(name).toBeFocused());
  });

  test('profile: Change password', async ({ openContext }) => {
    const page = await (await openContext('staff')).newPage();
    await page.goto('/user-settings');
    await page.getByRole('button', { name: 'Security' }).click();
    const change = page.getByRole('button', { name: 'Change password' });
    const old = page.getByLabel('Old password');
    const confirmation = page.getByLabel('Confirm new password');
    await leaveBy(page, confirmation, change, () => expect(complaining(page, old)).toBeVisible());
  });
});
