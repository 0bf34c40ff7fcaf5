import { findWorld } from '../lib/screens/screen.ts';
import { expect, test } from '../lib/test.ts';

const CONTACT_FIELDS = ['phone', 'email', 'policyNumber', 'groupNumber', 'insuranceCardFront', 'insuranceCardBack'];

test('staff see guests without contact details and without actions, and the server refuses what the screen hides', async ({
  openContext,
  apiAs,
}) => {
  const { site, pending, assigned } = await findWorld(await apiAs('admin'));
  const page = await (await openContext('staff')).newPage();

  await page.goto(`/reservations/${site.id}?tab=reservations`);
  await expect(page.getByText(pending.displayName).first()).toBeVisible();
  for (const name of [/^Accept/, /^Decline/, /New Guest/])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await expect(page.getByRole('columnheader', { name: 'Phone' })).toHaveCount(0);

  await page.getByRole('tab', { name: /^Guests/ }).click();
  await expect(page.getByText(assigned.displayName).first()).toBeVisible();
  for (const name of ['Move Guests', /^Actions for/]) await expect(page.getByRole('button', { name })).toHaveCount(0);

  await page.goto(`/reservations/guest/${site.id}/${assigned.id}`);
  await expect(page.getByRole('heading', { name: 'Guest Details' })).toBeVisible();
  for (const name of ['Reassign', 'Discharge']) await expect(page.getByRole('button', { name })).toHaveCount(0);
  for (const term of ['Phone', 'Email', 'Policy number']) {
    await expect(page.getByText(term, { exact: true })).toHaveCount(0);
  }

  const staff = await apiAs('staff');
  for (const guest of await staff.guests(site.id)) {
    for (const field of CONTACT_FIELDS) expect(guest, field).not.toHaveProperty(field);
  }
  const refused = await staff.patch(`/api/Guests/${assigned.id}`, { status: 'DISCHARGED' });
  expect(refused.status()).toBe(403);
});

test('an address of a foreign site, organization or guest looks like one that does not exist', async ({
  openContext,
  apiAs,
}) => {
  const everything = await apiAs('global');
  const foreign = await everything.siteCalled('Sierra Vista Pasadena');
  const [guest] = await everything.guests(foreign.id);
  if (!guest) throw new Error(`${foreign.name} has no guests.`);

  const admin = await apiAs('admin');
  for (const path of [
    `/api/Sites/${foreign.id}`,
    `/api/Organizations/${foreign.organizationId}`,
    `/api/Guests/${guest.id}`,
  ]) {
    expect((await admin.get(path)).status(), path).toBe(404);
  }

  const page = await (await openContext('admin')).newPage();
  for (const path of [
    `/reservations/${foreign.id}`,
    `/organizations/${foreign.organizationId}`,
    `/organizations/${foreign.organizationId}/${foreign.id}`,
    `/reservations/guest/${foreign.id}/${guest.id}`,
    `/reservations-request/${guest.id}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Page not found' }), path).toBeVisible();
    await expect(page.getByText(foreign.name)).toHaveCount(0);
  }
});

test('who is not signed in is sent to the sign-in page', async ({ openContext }) => {
  const page = await (await openContext(null)).newPage();
  await page.goto('/reservations');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});
