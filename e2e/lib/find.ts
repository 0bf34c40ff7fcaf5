import { expect, type Page } from '@playwright/test';
import { latestCode } from './outbox.ts';

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

/** Reserves a bed at a site with the code from the phone and returns the code of the reservation. */
export async function reserveOnFind(
  page: Page,
  siteId: string,
  seeker: Seeker & { readonly isInsured?: boolean },
): Promise<string> {
  await page.goto(`/find?site=${siteId}&step=reserve`);
  await typeReservation(page, seeker);
  if (seeker.isInsured) {
    await page.getByLabel('How you pay').selectOption('Insurance');
    await page.getByLabel('Insurance company').selectOption({ index: 1 });
  }
  await askForCode(page);
  await page.getByLabel('Code').pressSequentially(await latestCode(page.request, '', `+1${seeker.phone}`));
  await page.getByRole('button', { name: 'Reserve the bed' }).click();
  await expect(page.getByText('Your bed is held.', { exact: false })).toBeVisible();
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  const code = /[A-Z0-9]{6}$/.exec(heading ?? '')?.[0];
  if (!code) throw new Error(`There is no code of a reservation in "${heading}".`);
  return code;
}
