import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test';
import { ACCOUNTS, type AccountName, PASSWORD } from './accounts.ts';
import { latestCode } from './outbox.ts';

/** What the server wants of every call that a page of ours makes. */
export const HEADERS = { 'X-Berth': '1' };

/** Takes one step of a sign-in, as the web app does. The cookies stay in `request`. */
export async function takeToken(request: APIRequestContext, origin: string, fields: Record<string, string>) {
  const form = { client_id: 'berth-web', scope: 'api', session: 'cookie', ...fields };
  expect(await request.post(`${origin}/connect/token`, { headers: HEADERS, form })).toBeOK();
}

/** Signs in as the web app does, without its screens. The cookies stay in `request`. */
export async function signInByApi(request: APIRequestContext, origin: string, name: AccountName): Promise<void> {
  const { email, phone } = ACCOUNTS[name];
  await takeToken(request, origin, { grant_type: 'password', username: email, password: PASSWORD });
  await askForCode(request, origin);
  await takeToken(request, origin, {
    grant_type: 'two_factor_exchange',
    otp: await latestCode(request, origin, phone),
  });
}

/** A second code within half a minute of the last one is refused with the seconds to wait; a person waits, too. */
async function askForCode(request: APIRequestContext, origin: string): Promise<void> {
  const ask = () => request.post(`${origin}/api/Users/phone/challenge`, { headers: HEADERS, data: {} });
  const refused = await ask();
  if (refused.status() !== 429) return expect(refused).toBeOK();
  const seconds = Number(refused.headers()['retry-after']);
  expect(seconds, await refused.text()).toBeLessThanOrEqual(30);
  await expect(async () => expect(await ask()).toBeOK()).toPass({ intervals: [seconds * 1000 + 200], timeout: 40_000 });
}

/** How a person presses something: with the mouse or with a finger. */
export type Press = (target: Locator) => Promise<void>;
export const click: Press = (target) => target.click();
export const tap: Press = (target) => target.tap();

/** The first screen as a person fills it in: both agreements read to their end, email, password. */
export async function fillSignIn(
  page: Page,
  who: AccountName | { readonly email: string; readonly password: string },
  press: Press,
): Promise<void> {
  const { email, password } = typeof who === 'string' ? { ...ACCOUNTS[who], password: PASSWORD } : who;
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await acceptTexts(page, press);
  await press(page.getByRole('button', { name: 'Sign in' }));
}

/** Accepts both texts, each after it was scrolled to its end. */
export async function acceptTexts(page: Page, press: Press): Promise<void> {
  for (const agreement of ['Terms and Conditions', 'User Agreement']) {
    const box = page.getByRole('checkbox', { name: `I accept the ${agreement}` });
    await press(box);
    const dialog = page.getByRole('dialog', { name: agreement });
    const text = dialog.getByRole('region', { name: `${agreement}, text` });
    const accept = dialog.getByRole('button', { name: 'Accept' });
    await expect(accept).toHaveAttribute('aria-disabled', 'true');
    // An opening dialog takes the focus: on a crowded machine the first press may go to another part of it.
    await expect(async () => {
      await text.press('End');
      await expect(accept).not.toHaveAttribute('aria-disabled', 'true', { timeout: 1000 });
    }).toPass({ timeout: 20_000 });
    await press(accept);
    await expect(box).toBeChecked();
  }
}

/** Signs in as a person does, with the code from the message. */
export async function signInOnScreen(page: Page, origin: string, name: AccountName, press: Press): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, name, press);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await page.getByLabel('Confirmation code').fill(await latestCode(page.request, origin, ACCOUNTS[name].phone));
  await press(page.getByRole('button', { name: 'Confirm' }));
}
