import { expect, type Page } from '@playwright/test';

/** Somebody who looks for a bed. */
export interface Seeker {
  readonly firstName: string;
  /** Ten digits. */
  readonly phone: string;
}

/** Fills the form of a reservation key by key, by the names of its fields, which are the same in both languages. */
export async function typeReservation(page: Page, { firstName, phone }: Seeker): Promise<void> {
  const type = async (name: string, text: string) => page.locator(`input[name=${name}]`).pressSequentially(text);
  await type('firstName', firstName);
  await type('lastName', 'Q');
  await type('phone', phone);
  await type('email', `${firstName.toLowerCase()}@guests.example`);
  for (const name of ['gender', 'ageServiceId', 'typeOfClientServiceId', 'paymentMethod', 'mediCalChoice']) {
    const select = page.locator(`select[name=${name}]`);
    if (await select.isVisible()) await select.selectOption({ index: 1 });
  }
  await page.getByRole('group').getByRole('checkbox').first().check();
}

/** Sends the form and waits for the field of the code. */
export async function askForCode(page: Page): Promise<void> {
  await page.locator('main button[type=submit]').click();
  await expect(page.locator('input[name=code]')).toBeVisible();
}
