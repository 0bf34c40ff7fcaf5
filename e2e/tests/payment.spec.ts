import type { Locator, Page } from '@playwright/test';
import { acceptInvitation, createSite, type Person, picture } from '../lib/administration.ts';
import { Api, type Guest, reserve, type Site } from '../lib/api.ts';
import { COLOR_RULES, expectNoViolations } from '../lib/axe.ts';
import { isGuestChange } from '../lib/board.ts';
import { addOrganization, addSite, join } from '../lib/new-site.ts';
import { keepPicture } from '../lib/pictures.ts';
import { acceptTexts, click } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';

// Subscriptions of the demo are changed here: a server of its own.
test.use({ serverName: 'payment' });

// The last and longest of all: its widths go to whichever worker is free.
test.describe.configure({ mode: 'parallel' });

const MINUTES = 60_000;
const WIDTHS = [1360, 390] as const;

for (const width of WIDTHS) {
  const viewport = { width, height: width === 390 ? 844 : 900 };

  test(`a reservation from the search waits for a subscription and is then accepted, ${width} wide`, async ({
    openContext,
    apiAs,
    server,
  }) => {
    test.setTimeout(5 * MINUTES);
    const names = { organization: `Cedar Recovery ${width}`, site: `Cedar House ${width}` };
    const [mara, theo] = [person('Mara', width), person('Theo', width)];
    const owner = await (await openContext(null, { viewport })).newPage();
    const admin = await (await openContext(null, { viewport })).newPage();
    const { site, guest } =
      await test.step('an organization that has paid nothing yet, and a reservation', async () => {
        const photos = [await picture(owner, 'coral', 'png'), await picture(owner, 'olive', 'png')] as const;
        const paid = { name: names.organization, owner: mara, logo: photos[0] };
        const organization = await addOrganization(await apiAs('global'), server.origin, paid);
        const wanted = { name: names.site, admin: theo, photos };
        if (width === 390) {
          // No other test accepts an invitation and goes through the wizard on a phone.
          await acceptInvitation(owner, server.origin, mara);
          await owner.getByRole('link', { name: names.organization }).click();
          await createSite(owner, wanted);
        } else {
          await join(owner.request, server.origin, mara);
          await addSite(new Api(owner.request), server.origin, organization, wanted);
        }
        await join(admin.request, server.origin, theo);
        return openForReservations(owner, names.site);
      });

    await test.step('its admin is told whom to ask, before a bed is chosen', async () => {
      await openAccept(admin, site, guest);
      await expect(prompt(admin)).toContainText(`Ask an owner of ${names.organization}`);
      await expect(admin.getByRole('radio')).toHaveCount(0);
      await look(admin, `prompt for an admin ${width}`);
    });

    await test.step('the owner adds a card on the way, and is back at the very reservation', async () => {
      await openAccept(owner, site, guest);
      await look(owner, `prompt for an owner without a card ${width}`);
      await prompt(owner).getByRole('link', { name: 'Add a card' }).click();
      await expect(owner.getByText('A reservation is waiting')).toBeVisible();
      await look(owner, `cards while a reservation waits ${width}`);
      await addCard(owner, '4242424242424242');
      await expect(owner.getByText('Visa ending in 4242 was saved.')).toBeVisible();
      await expect(owner).toHaveURL(new RegExp(`/reservations-request/${guest.id}$`));
      await look(owner, `prompt for an owner with a card ${width}`);
    });

    const dialog = owner.getByRole('dialog', { name: `Start the subscription of ${names.site}` });
    await test.step('a yearly plan with a promo code', async () => {
      await prompt(owner).getByRole('button', { name: 'Get Started' }).click();
      await dialog.getByRole('radio', { name: /^Standard: \$14,400(\.00)? per year/ }).check();
      const code = dialog.getByRole('textbox', { name: 'Promo code' });
      await code.pressSequentially('SUMMER25');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await expect(dialog.getByText('Invalid or expired code')).toBeVisible();
      await look(owner, `plan with a wrong code ${width}`);
      await code.clear();
      await code.pressSequentially('WELCOME20');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await expect(dialog.getByText('Coupon applied')).toBeVisible();
      await look(owner, `plan ${width}`);
      await dialog.getByRole('button', { name: 'Review' }).click();
      await expect(dialog.getByText(/\$11,520/)).toBeVisible();
    });

    await test.step('nothing starts before both texts are read to their ends', async () => {
      const start = dialog.getByRole('button', { name: 'Start Subscription' });
      await expect(start).toHaveAttribute('aria-disabled', 'true');
      await look(owner, `review ${width}`);
      await acceptTexts(owner, click);
      await start.click();
      await expect(owner.getByText(`The subscription of ${names.site} is active.`)).toBeVisible();
      await expect(owner.getByRole('heading', { name: '2 vacant beds' })).toBeVisible();
      await look(owner, `beds after the start ${width}`);
    });

    await test.step('the page of the admin has heard of it: the same accept goes through', async () => {
      const choice = admin.getByRole('radio', { name: 'Sober Living #1, Cedar' });
      await admin.locator('label').filter({ has: choice }).click();
      await expect(choice).toBeChecked();
      const answer = admin.waitForResponse(isGuestChange);
      await admin.getByRole('button', { name: 'Accept into this bed' }).click();
      expect((await answer).status()).toBe(200);
      await expect(admin).not.toHaveURL(/reservations-request/);
    });

    await test.step('Billing shows the subscription, the invoice and the receipt', async () => {
      await owner.goto('/payment-details');
      await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Billing');
      const summary = owner.getByLabel('Subscription Summary').first();
      await expect(summary.getByText('Active', { exact: true })).toBeVisible();
      await expect(summary.getByText(/\$14,400/)).toBeVisible();
      await expect(summary.getByText('Visa ending in 4242')).toBeVisible();
      await look(owner, `billing ${width}`);
      const invoice = await opened(owner, owner.getByRole('link', { name: /^Invoice .*, opens in a new tab$/ }));
      await expect(invoice.getByRole('heading', { level: 1 })).toHaveText('Invoice');
      await expect(invoice.getByText('$11,520.00')).toBeVisible();
      await expect(invoice.getByText('Test payments: no card is charged')).toBeVisible();
      await look(invoice, `invoice ${width}`);
      // A tab behind another one draws once a second, and everything in it waits for that.
      await invoice.close();
      const receipt = await opened(owner, owner.getByRole('link', { name: /^Receipt .*, opens in a new tab$/ }));
      await expect(receipt.getByRole('heading', { level: 1 })).toHaveText('Receipt');
      await expect(receipt.getByText('$11,520.00')).toBeVisible();
      await look(receipt, `receipt ${width}`);
      await receipt.close();
    });

    await test.step('canceled, it stays usable as long as it is paid, and starts again without a second charge', async () => {
      await choose(owner, 'Cancel Subscription', names.site);
      const question = owner.getByRole('dialog', { name: 'Cancel this subscription?' });
      await look(owner, `cancel ${width}`);
      await question.getByRole('button', { name: 'Cancel Subscription' }).click();
      await expect(owner.getByText(`The subscription of ${names.site} is canceled.`)).toBeVisible();
      await expect(owner.getByText(/^Paid until /)).toBeVisible();
      await look(owner, `billing after the cancellation ${width}`);
      await choose(owner, 'Start Subscription', names.site);
      await dialog.getByRole('button', { name: 'Review' }).click();
      await expect(dialog.getByText(/^This site is already paid until/)).toBeVisible();
      await look(owner, `review of a second start ${width}`);
      await acceptTexts(owner, click);
      await dialog.getByRole('button', { name: 'Start Subscription' }).click();
      await expect(owner.getByText(`The subscription of ${names.site} is active.`)).toBeVisible();
      await expect(owner.getByRole('link', { name: /^Receipt / })).toHaveCount(1);
    });

    await test.step('the portal is a press away, and leads back', async () => {
      // On a phone, messages lie over the link. They go by themselves, unless the mouse rests on them.
      await owner.mouse.move(1, 800);
      await expect(owner.getByText(`The subscription of ${names.site} is`)).toHaveCount(0);
      await owner.getByRole('main').getByRole('link', { name: 'Credit cards' }).click();
      await owner.getByRole('button', { name: 'Manage Billing Info' }).click();
      await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Billing information');
      await look(owner, `portal ${width}`);
      await owner.getByRole('link', { name: 'Return to Berth' }).click();
      await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Credit cards');
    });
  });

  test(`a subscription whose payment failed is restarted on Billing, ${width} wide`, async ({ openContext }) => {
    const owner = await (await openContext('owner', { viewport })).newPage();
    await owner.goto('/payment-details');
    const summary = owner.getByLabel('Subscription Summary').first();
    await expect(summary.getByText('Trialing')).toBeVisible();
    await look(owner, `billing of the demo ${width}`);
    const site = 'Harbor Light Anaheim Detox';
    // Where the server is the same for both widths, the second one finds it restarted.
    if (await summary.getByText('Past Due – Payment Failed').isVisible()) {
      await choose(owner, 'Restart Subscription', site);
      const question = owner.getByRole('dialog', { name: 'Restart this subscription?' });
      await question.getByRole('button', { name: 'Restart Subscription' }).click();
      await expect(owner.getByText(`The subscription of ${site} is active.`)).toBeVisible();
    }
    await expect(summary.getByText('Active', { exact: true })).toHaveCount(2);
    await look(owner, `billing of the demo after the restart ${width}`);
  });
}

function person(firstName: string, width: number): Person {
  const [lastName, phone] = [`Cedar${width}`, `${firstName === 'Mara' ? 2 : 3}${width === 390 ? 10 : 11}`];
  const email = `${firstName}.${lastName}@cedar.example`.toLowerCase();
  return { email, firstName, lastName, password: 'Quiet-Meadow-4471', phone: `+16575550${phone}` };
}

/** Gives the owner's new site a house with two beds, and a reservation as a search site makes it. */
async function openForReservations(owner: Page, name: string): Promise<{ site: Site; guest: Guest }> {
  const api = new Api(owner.request);
  const { id } = await api.siteCalled(name);
  const house = await api.post('/api/Rooms', { siteId: id, name: 'Cedar' });
  const { id: roomId } = (await house.json()) as { id: string };
  expect((await api.post('/api/Beds', { roomId, count: 2 })).status()).toBe(201);
  const site = await api.site(id);
  return { site, guest: await reserve(owner.request, api, site, 'Nadia') };
}

/** Presses Accept in the list of reservations. */
async function openAccept(page: Page, site: Site, guest: Guest): Promise<void> {
  await page.goto(`/reservations/${site.id}?tab=reservations`);
  await page.getByRole('button', { name: `Accept ${guest.displayName}` }).click();
  await expect(page).toHaveURL(new RegExp(`/reservations-request/${guest.id}$`));
  await expect(prompt(page)).toBeVisible();
}

function prompt(page: Page): Locator {
  return page.getByRole('alert').filter({ hasText: 'Accepting needs an active subscription' });
}

async function addCard(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Add new card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add new card' });
  await dialog.getByRole('textbox', { name: 'Card number' }).pressSequentially(number);
  await dialog.getByRole('textbox', { name: 'Expiration date' }).pressSequentially('0440');
  await dialog.getByRole('textbox', { name: 'Security code' }).pressSequentially('123');
  await dialog.getByRole('button', { name: 'Save card' }).click();
}

/** Presses the action of a site in the summary. */
async function choose(page: Page, action: string, site: string): Promise<void> {
  await page.getByRole('button', { name: `${action}: ${site}` }).click();
}

/** The page that a link opens in a new tab. */
async function opened(page: Page, link: Locator): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  return tab;
}

/** Examines a screen, of the dark scheme its colors, and keeps its picture in both. */
async function look(page: Page, name: string): Promise<void> {
  await expectNoViolations(page, name);
  await keepPicture(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, `${name}, dark`, COLOR_RULES);
  await keepPicture(page, `${name} dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}
