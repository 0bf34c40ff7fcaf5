import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';
import { AT_ONCE, type Way } from './ways.ts';

/** Opens the form of the reservations page for a guest who is added by hand. */
export async function openNewGuest(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add New Guest' }).click();
  const form = page.getByRole('dialog', { name: 'New Guest' });
  await expect(form.getByLabel('First name')).toBeVisible();
  // The last field to come.
  await expect(form.getByLabel('City').first()).toBeVisible();
  return form;
}

/** Fills in every field that must be, as a person does. */
export async function fillNewGuest(form: Locator, firstName: string, way: Way = AT_ONCE): Promise<void> {
  await way.type(form.getByLabel('First name'), firstName);
  await way.type(form.getByLabel('Last name initial'), 'K');
  await way.check(form.getByRole('radio', { name: 'Female' }));
  await way.check(form.getByRole('radiogroup', { name: 'Age' }).getByRole('radio').last());
  await way.type(form.getByLabel('Phone'), '6575550188');
  await way.type(form.getByLabel('Email'), `${firstName.toLowerCase()}@mail.example`);
  await way.check(form.getByRole('group', { name: 'Services needed' }).getByRole('checkbox').first());
  await way.select(form.getByLabel('Type of client'), 1);
  await way.check(form.getByRole('radiogroup', { name: 'Payment method' }).getByRole('radio').first());
}

/** Sends the form; after a success it is closed. */
export async function submitNewGuest(page: Page, form: Locator, status: number): Promise<void> {
  const answer = page.waitForResponse(isNewGuest);
  await form.getByRole('button', { name: 'Add guest' }).click();
  expect((await answer).status()).toBe(status);
  if (status === 201) await expect(form).toBeHidden();
}

export function isNewGuest(response: { url: () => string; request: () => { method: () => string } }): boolean {
  return response.request().method() === 'POST' && /\/api\/guests$/i.test(response.url());
}
