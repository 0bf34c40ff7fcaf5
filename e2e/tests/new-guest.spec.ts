import type { Locator, Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { expect, test } from '../lib/test.ts';

test('a guest added by hand is checked field by field, has no hold, and a third reservation is asked about', async ({
  openContext,
  apiAs,
}) => {
  const admin = await apiAs('admin');
  const site = await admin.siteCalled(MAIN_SITE);
  const page = await (await openContext('admin')).newPage();
  await page.goto(`/reservations/${site.id}?tab=reservations`);

  const form = await openForm(page);
  await form.getByRole('button', { name: 'Add guest' }).click();
  for (const text of ['Gender is a required field.', 'Age is a required field.', 'Email must be a valid email']) {
    await expect(form.getByText(text)).toBeVisible();
  }
  await fill(form, 'Beatrice');
  // Leaving is asked about once something was typed.
  await form.getByRole('button', { name: 'Close' }).click();
  const question = page.getByRole('dialog', { name: 'Leave page?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(form.getByLabel('First name')).toHaveValue('Beatrice');
  await submit(page, form, 201);
  await page.getByRole('row').filter({ hasText: 'Beatrice' }).click();
  const details = page.getByRole('dialog', { name: /^Reservation / });
  await expect(details.getByRole('definition').filter({ hasText: 'N/A' })).toBeVisible();
  await details.getByRole('button', { name: 'Close' }).click();

  const second = await openForm(page);
  await fill(second, 'Beatrice');
  await submit(page, second, 201);

  const third = await openForm(page);
  await fill(third, 'Beatrice');
  await submit(page, third, 409);
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

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add New Guest' }).click();
  const form = page.getByRole('dialog', { name: 'New Guest' });
  await expect(form.getByLabel('First name')).toBeVisible();
  return form;
}

async function fill(form: Locator, firstName: string): Promise<void> {
  await form.getByLabel('First name').fill(firstName);
  await form.getByLabel('Last name initial').fill('K');
  await form.getByRole('radio', { name: 'Female' }).check();
  await form.getByRole('radiogroup', { name: 'Age' }).getByRole('radio').last().check();
  await form.getByLabel('Phone').fill('6575550188');
  await form.getByLabel('E-mail').fill('beatrice@mail.example');
  await form.getByRole('group', { name: 'Services needed' }).getByRole('checkbox').first().check();
  await form.getByLabel('Type of client').selectOption({ index: 1 });
  await form.getByRole('radiogroup', { name: 'Payment method' }).getByRole('radio').first().check();
}

async function submit(page: Page, form: Locator, status: number): Promise<void> {
  const answer = page.waitForResponse(isNewGuest);
  await form.getByRole('button', { name: 'Add guest' }).click();
  expect((await answer).status()).toBe(status);
  if (status === 201) await expect(form).toBeHidden();
}

function isNewGuest(response: { url: () => string; request: () => { method: () => string } }): boolean {
  return response.request().method() === 'POST' && /\/api\/guests$/i.test(response.url());
}
