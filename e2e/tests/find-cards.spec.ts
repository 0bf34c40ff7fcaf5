import { MAIN_SITE } from '../lib/accounts.ts';
import { askForCode, typeReservation } from '../lib/find.ts';
import { latestCode } from '../lib/outbox.ts';
import { expect, test } from '../lib/test.ts';

const PHONE = '+19515552091';

test('a guest with insurance adds pictures of both sides of the card, which intake can see and staff cannot', async ({
  openContext,
  apiAs,
  server,
}) => {
  const intake = await apiAs('intake');
  const site = await intake.siteCalled(MAIN_SITE);
  const page = await (await openContext(null, { viewport: { width: 390, height: 844 } })).newPage();
  await page.goto(`/find?site=${site.id}&step=reserve`);
  await typeReservation(page, { firstName: 'Odalys', phone: PHONE.slice(2) });
  await page.getByLabel('How you pay').selectOption('Insurance');
  await page.getByLabel('Insurance company').selectOption({ index: 1 });
  await askForCode(page);
  await page.getByLabel('Code').pressSequentially(await latestCode(page.request, server.origin, PHONE));
  await page.getByRole('button', { name: 'Reserve the bed' }).click();
  await expect(page.getByText('Your bed is held.', { exact: false })).toBeVisible();

  const picture = { name: 'card.png', mimeType: 'image/png', buffer: await page.screenshot() };
  await page.locator('input[type=file]').nth(0).setInputFiles(picture);
  await page.locator('input[type=file]').nth(1).setInputFiles(picture);
  await expect(page.getByRole('img', { name: /the picture you chose/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Send pictures' }).click();
  await expect(page.getByText('Both sides of your card were sent.')).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, 'the page does not scroll sideways').toBeLessThanOrEqual(390);

  const guest = (await intake.guests(site.id)).find(({ firstName }) => firstName === 'Odalys');
  if (!guest) throw new Error('There is no reservation.');
  const staff = await apiAs('staff');
  for (const path of [guest.insuranceCardFront, guest.insuranceCardBack]) {
    expect((await intake.get(`/files/${path}`)).status()).toBe(200);
    expect((await staff.get(`/files/${path}`)).status()).toBe(404);
    expect((await page.request.get(`/files/${path}`)).status()).toBe(404);
  }
  await intake.command(guest, 'REJECTED');
});
