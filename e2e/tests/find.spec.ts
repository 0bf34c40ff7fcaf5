import { MAIN_SITE } from '../lib/accounts.ts';
import { typeReservation } from '../lib/find.ts';
import { latestCode, messages } from '../lib/outbox.ts';
import { expect, test } from '../lib/test.ts';

const PHONE = '+19515552077';

test('somebody without an account finds a bed, reserves it by phone, sees the decision and cancels', async ({
  openContext,
  apiAs,
  server,
}) => {
  const admin = await apiAs('admin');
  const site = await admin.siteCalled(MAIN_SITE);
  const page = await (await openContext(null, { viewport: { width: 390, height: 844 } })).newPage();
  const texts = async () => (await messages(page.request, server.origin)).filter(({ to }) => to === PHONE);
  await page.goto('/find');
  await page.getByLabel('City, address or name').pressSequentially(MAIN_SITE);
  await page.getByLabel('City, address or name').press('Enter');
  await expect(page.getByText('1 place found')).toBeVisible();
  await expect(page.getByText(/beds? free/)).toBeVisible();
  await expect(page.getByText(/as of /)).toBeVisible();
  await page.getByRole('link', { name: MAIN_SITE }).click();
  await expect(page.getByRole('heading', { level: 1, name: MAIN_SITE })).toBeFocused();
  await page.getByRole('button', { name: 'Reserve a bed' }).click();

  // An empty form says what is missing, and nothing is sent.
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('First name')).toBeFocused();
  await expect(page.getByText('Please choose at least one service.')).toBeVisible();
  await typeReservation(page, { firstName: 'Rosalind', phone: PHONE.slice(2) });
  await page.getByRole('button', { name: 'Send me a code' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  expect(await texts()).toHaveLength(1);
  await expect(page.getByText('+1 (951) 555-2077')).toBeVisible();
  await expect(page.getByRole('button', { name: /New code in/ })).toBeDisabled();

  // Back and forward again: what was typed is still there, and the same request is answered with the same code.
  await page.getByRole('link', { name: 'Change my details' }).click();
  await expect(page.getByLabel('First name')).toHaveValue('Rosalind');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  expect(await texts()).toHaveLength(1);

  const code = await latestCode(page.request, server.origin, PHONE);
  await page.getByLabel('Code').pressSequentially(code === '000000' ? '111111' : '000000');
  await page.getByRole('button', { name: 'Reserve the bed' }).click();
  await expect(page.getByText('This code is incorrect or has expired.', { exact: false })).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();

  // The first answer to the right code is lost: the page asks again and gets the same reservation.
  let asked = 0;
  await page.route('**/api/public/reservations/*/confirm', async (route) => {
    asked += 1;
    const answer = await route.fetch();
    if (asked === 1) await route.abort();
    else await route.fulfill({ response: answer });
  });
  await page.getByLabel('Code').fill('');
  await page.getByLabel('Code').pressSequentially(code);
  await page.getByRole('button', { name: 'Reserve the bed' }).click();
  await expect(page.getByText('only one reservation is made', { exact: false })).toBeVisible();
  await expect(page.getByText('Your bed is held.', { exact: false })).toBeVisible();
  expect(asked).toBe(2);
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  const reservation = /[A-Z0-9]{6}$/.exec(heading ?? '')?.[0] ?? '';
  await expect(page.getByText('Waiting for a decision')).toBeVisible();
  const mine = async () => (await admin.guests(site.id)).filter(({ firstName }) => firstName === 'Rosalind');
  expect((await mine()).map((guest) => guest.code)).toEqual([reservation]);
  await expect(page).toHaveTitle('My reservation · Find a bed');

  // Nothing of the guest is left for whoever sits down next.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
  for (const secret of ['Rosalind', '5552077', reservation]) expect(kept).not.toContain(secret);
  await page.goBack();
  await page.getByRole('button', { name: 'Reserve a bed' }).click();
  await expect(page.getByLabel('First name')).toHaveValue('');
  await page.getByRole('link', { name: 'My reservation' }).click();
  await expect(page).toHaveTitle('My reservation · Find a bed');
  await page.reload();

  await page.getByLabel('Code of the reservation').pressSequentially(reservation.toLowerCase());
  await page.getByLabel('Last four digits').pressSequentially('2078');
  await page.getByRole('button', { name: 'Show my reservation' }).click();
  await expect(page.getByText('No reservation found', { exact: false })).toBeVisible();
  await page.getByLabel('Last four digits').fill('');
  await page.getByLabel('Last four digits').pressSequentially('2077');
  await page.getByRole('button', { name: 'Show my reservation' }).click();
  await expect(page.getByText('Waiting for a decision')).toBeVisible();

  // By keyboard alone: asked, kept, asked again, cancelled.
  await page.getByRole('button', { name: 'Cancel this reservation' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Cancel this reservation?' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel this reservation' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('You cancelled this reservation.', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel this reservation' })).toBeHidden();
  // The texts about the reservation leave in their own time.
  await expect
    .poll(async () => (await texts()).map(({ body }) => body))
    .toContainEqual(expect.stringContaining(`Your reservation ${reservation} was cancelled.`));
  expect((await texts()).some(({ body }) => body.includes(`We have your reservation ${reservation}.`))).toBe(true);
  expect(await mine()).toEqual([]);

  const staff = await (await openContext('intake')).newPage();
  await staff.goto(`/history/${site.id}`);
  const declined = staff.getByRole('region', { name: /^Declined/ });
  await expect(declined.getByRole('row').filter({ hasText: 'Rosalind' })).toContainText('Cancelled by the guest');
});
