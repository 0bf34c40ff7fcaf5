import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { ACCOUNTS, type AccountName, PASSWORD } from './accounts.ts';
import { latestCode } from './outbox.ts';

/** Signs in as the web app does, without its screens. The cookies stay in `request`. */
export async function signInByApi(request: APIRequestContext, origin: string, name: AccountName): Promise<void> {
  const { email, phone } = ACCOUNTS[name];
  const headers = { 'X-Berth': '1' };
  const token = async (fields: Record<string, string>) => {
    const form = { client_id: 'berth-web', scope: 'api', session: 'cookie', ...fields };
    expect(await request.post(`${origin}/connect/token`, { headers, form })).toBeOK();
  };
  await token({ grant_type: 'password', username: email, password: PASSWORD });
  expect(await request.post(`${origin}/api/Users/phone/challenge`, { headers, data: {} })).toBeOK();
  await token({ grant_type: 'two_factor_exchange', otp: await latestCode(request, origin, phone) });
}

/** Signs in as a person does: both agreements read, password, code from the message. */
export async function signInOnScreen(page: Page, origin: string, name: AccountName): Promise<void> {
  const { email, phone } = ACCOUNTS[name];
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  for (const agreement of ['Terms and Conditions', 'User Agreement']) {
    await page.getByRole('checkbox', { name: `I accept the ${agreement}` }).click();
    const dialog = page.getByRole('dialog', { name: agreement });
    const text = dialog.getByRole('region', { name: `${agreement}, text` });
    await text.focus();
    await page.keyboard.press('End');
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByRole('checkbox', { name: `I accept the ${agreement}` })).toBeChecked();
  }
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await page.getByLabel('Confirmation code').fill(await latestCode(page.request, origin, phone));
  await page.getByRole('button', { name: 'Confirm' }).click();
}
