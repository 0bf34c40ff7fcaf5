import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Api, type Guest, reserve, type Site, withRoomFor } from '../lib/api.ts';
import { click, tap } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';
import { Today } from '../lib/today.ts';

// Many reservations are made here: a server of its own.
test.use({ serverName: 'shift' });

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const FEEDBACK = 'No answer at this number.';
const SEARCH = 'Find a guest, site or organization';

test('a shift on Today: eight reservations arrive and are decided without leaving it, one decision is taken back, a guest is found by the phone', async ({
  openContext,
  apiAs,
}) => {
  test.setTimeout(120_000);
  const api = await apiAs('intake');
  const site = await quietSite(api, 8);
  const page = await (await openContext('intake')).newPage();
  const today = new Today(page);
  await today.open();
  await expect(page.getByText('Nothing needs a decision')).toBeVisible();
  const arrive = (firstName: string) => arrival(page, today, api, site, firstName);
  const beds = new Map<string, string>();
  const accept = async (guest: Guest) => void beds.set(guest.id, await today.acceptProposed(guest, click));

  const [ada, bruno, clara, dora] =
    await test.step('four arrive, each without a reload, the soonest hold first', async () => {
      const guests: Guest[] = [];
      for (const name of ['Ada', 'Bruno', 'Clara', 'Dora']) guests.push(await arrive(name));
      await expect(today.waiting.getByRole('listitem')).toContainText(guests.map(({ code }) => code));
      await expect(page.getByRole('heading', { name: 'Needs a decision (4)' })).toBeVisible();
      return guests as [Guest, Guest, Guest, Guest];
    });

  await test.step('one is accepted, and the next row is gone on with', async () => {
    await accept(ada);
    await expect(today.accept(bruno)).toBeFocused();
  });

  await test.step('one is declined with feedback', async () => {
    await today.decline(bruno, click, FEEDBACK);
    await expect(today.accept(clara)).toBeFocused();
  });

  const enno = await test.step('one arrives while a bed is chosen, and the choice stays', async () => {
    await today.accept(clara).click();
    const proposed = await today.proposed(clara);
    const others = today.chooser(clara).locator('label', { has: page.getByRole('radio', { checked: false }) });
    await others.first().click();
    const bed = await today.proposed(clara);
    expect(bed).not.toBe(proposed);
    const guest = await reserve(page.request, api, site, 'Enno');
    await expect(today.row(guest)).toBeVisible();
    expect(await today.proposed(clara)).toBe(bed);
    await today.answer(() => today.chooser(clara).getByRole('button', { name: 'Accept into this bed' }).click());
    await today.expectDecided(clara, 'is now in');
    beds.set(clara.id, bed);
    await expect(today.row(guest)).toBeVisible();
    return guest;
  });

  await test.step('a decline is taken back, and the reservation is accepted', async () => {
    await today.decline(dora, click);
    await today.answer(() => today.told(dora, 'was declined').getByRole('button', { name: 'Undo' }).click());
    await expect(today.told(dora, 'is pending again')).toBeVisible();
    await expect(today.row(dora)).toBeVisible();
    await accept(dora);
  });

  const [fritz, gerda, hugo] = await test.step('the last four are decided as they come', async () => {
    await accept(enno);
    const first = await arrive('Fritz');
    const second = await arrive('Gerda');
    await today.decline(first, click);
    await accept(second);
    const third = await arrive('Hugo');
    await accept(third);
    return [first, second, third];
  });

  await test.step('nobody waits, Today was never left, and it tells what happened', async () => {
    await expect(page.getByText('Nothing needs a decision')).toBeVisible();
    expect(new Set(today.visited)).toEqual(new Set(['/today']));
    const told = today.moves.getByRole('listitem');
    for (const guest of [ada, clara, dora, enno, gerda, hugo])
      await expect(told.filter({ hasText: guest.code })).toContainText('Accepted into');
    for (const guest of [bruno, fritz]) await expect(told.filter({ hasText: guest.code })).toContainText('Declined');
    const { counts } = await api.site(site.id);
    const free = page.getByRole('list', { name: 'Free now' }).getByRole('listitem').filter({ hasText: MAIN_SITE });
    await expect(free).toContainText(`${counts.available} available`);
    for (const guest of [ada, clara, dora, enno, gerda, hugo]) {
      const now = await guestNow(api, guest);
      expect(now.status).toBe('accepted');
      expect(beds.get(guest.id)).toContain(`${now.bed?.name}, ${now.room?.name}`);
    }
    for (const guest of [bruno, fritz]) expect((await guestNow(api, guest)).status).toBe('rejected');
    expect((await guestNow(api, bruno)).feedback).toBe(FEEDBACK);
  });

  await test.step('the telephone rings: a guest is found by the last digits of the phone', async () => {
    await findByKeyboard(page, clara);
  });
});

test('a shift on Today by keyboard alone: three are decided, one decision is taken back, a guest is found by the phone', async ({
  openContext,
  apiAs,
}) => {
  const api = await apiAs('intake');
  const site = await quietSite(api, 3);
  const page = await (await openContext('intake')).newPage();
  const today = new Today(page);
  await page.goto('/history');
  // What hears the keys comes a moment after the screen.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await expect(page).toHaveURL(/\/today$/, { timeout: 1000 });
  }).toPass();
  const guests: Guest[] = [];
  for (const name of ['Ilse', 'Jonas', 'Kira']) guests.push(await arrival(page, today, api, site, name));
  const [ilse, jonas, kira] = guests as [Guest, Guest, Guest];
  today.visited.length = 0;

  await test.step('the first is accepted into the proposed bed', async () => {
    await page.keyboard.press('a');
    await expect(today.accept(ilse)).toBeFocused();
    await page.keyboard.press('a');
    await today.proposed(ilse);
    await today.answer(() => page.keyboard.press('a'));
    await today.expectDecided(ilse, 'is now in');
    await expect(today.accept(jonas)).toBeFocused();
  });

  await test.step('the next is declined, with the tab key and Enter', async () => {
    await page.keyboard.press('d');
    await expect(today.question(jonas)).toBeVisible();
    await tabTo(page, 'Decline');
    await today.answer(() => page.keyboard.press('Enter'));
    await today.expectDecided(jonas, 'was declined');
    await expect(today.accept(kira)).toBeFocused();
  });

  const bed = await test.step('the last is accepted into another bed, chosen by an arrow key', async () => {
    await page.keyboard.press('Enter');
    const proposed = await today.proposed(kira);
    await tabTo(page, proposed);
    await page.keyboard.press('ArrowDown');
    const chosen = await today.proposed(kira);
    expect(chosen).not.toBe(proposed);
    await tabTo(page, 'Accept into this bed');
    await today.answer(() => page.keyboard.press('Enter'));
    await today.expectDecided(kira, 'is now in');
    return chosen;
  });
  const placed = await guestNow(api, kira);
  expect(bed).toContain(`${placed.bed?.name}, ${placed.room?.name}`);

  await test.step('the last decision is taken back', async () => {
    await today.answer(() => page.keyboard.press('z'));
    await expect(today.told(kira, 'is pending again')).toBeVisible();
    await expect(today.row(kira)).toBeVisible();
    expect((await guestNow(api, kira)).status).toBe('pending');
    expect(new Set(today.visited)).toEqual(new Set());
  });

  await test.step('a guest is found by the last digits of the phone', async () => {
    await findByKeyboard(page, ilse);
  });
});

test('a shift on Today by touch on a phone: three are decided, one decision is taken back, a guest is found by the phone', async ({
  openContext,
  apiAs,
}) => {
  const api = await apiAs('intake');
  const site = await quietSite(api, 3);
  const page = await (await openContext('intake', PHONE)).newPage();
  const today = new Today(page);
  await today.open();
  const guests: Guest[] = [];
  for (const name of ['Lena', 'Milan', 'Nora']) guests.push(await arrival(page, today, api, site, name));
  const [lena, milan, nora] = guests as [Guest, Guest, Guest];

  await test.step('two are accepted, the button under the thumb at once', async () => {
    await today.accept(lena).tap();
    await today.proposed(lena);
    const confirm = today.chooser(lena).getByRole('button', { name: 'Accept into this bed' });
    await expect(confirm).toBeInViewport({ ratio: 1 });
    await today.answer(() => confirm.tap());
    await today.expectDecided(lena, 'is now in');
    await today.acceptProposed(milan, tap);
  });

  await test.step('one is declined', async () => {
    await today.decline(nora, tap);
    expect(new Set(today.visited)).toEqual(new Set(['/today']));
    expect(await page.evaluate(pixelsTooWide), 'nothing scrolls sideways').toBeLessThanOrEqual(0);
  });

  await test.step("an accept is taken back from today's moves", async () => {
    await today.answer(() => today.moves.getByRole('button', { name: `Undo for ${milan.displayName}` }).tap());
    await expect(today.row(milan)).toBeVisible();
    expect((await guestNow(api, milan)).status).toBe('pending');
  });

  await test.step('a guest is found by the last digits of the phone', async () => {
    await page.getByRole('button', { name: SEARCH }).tap();
    await page.getByRole('combobox', { name: SEARCH }).pressSequentially(digitsOf(lena));
    await page.getByRole('option').filter({ hasText: lena.displayName }).tap();
    await expectGuestPage(page, lena);
  });
});

/** The main site with nobody waiting at the sites of the intake user, and room for so many people. */
async function quietSite(api: Api, people: number): Promise<Site> {
  const { items } = (await (await api.get('/api/Sites?pageSize=100')).json()) as { items: Site[] };
  for (const { id } of items) {
    for (const guest of await api.guests(id)) if (guest.status === 'pending') await api.command(guest, 'REJECTED');
  }
  return withRoomFor(api, MAIN_SITE, people);
}

/** Somebody reserves, and Today shows it without a reload. */
async function arrival(page: Page, today: Today, api: Api, site: Site, firstName: string): Promise<Guest> {
  const guest = await reserve(page.request, api, site, firstName);
  await expect(today.row(guest)).toContainText(site.name);
  return guest;
}

async function guestNow(api: Api, { id }: Guest): Promise<Guest> {
  const response = await api.get(`/api/Guests/${id}`);
  expect(response.status()).toBe(200);
  return (await response.json()) as Guest;
}

function digitsOf({ phone }: Guest): string {
  const digits = (phone ?? '').slice(-4);
  expect(digits).toMatch(/^\d{4}$/);
  return digits;
}

/** Opens the search by its keys, types the last digits of a phone, and opens the guest that is found. */
async function findByKeyboard(page: Page, guest: Guest): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: SEARCH })).toBeFocused();
  await page.keyboard.type(digitsOf(guest), { delay: 20 });
  const found = page.getByRole('option').filter({ hasText: guest.displayName });
  await expect(found).toBeVisible();
  for (let step = 0; step < 10 && (await found.getAttribute('aria-selected')) !== 'true'; step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expectGuestPage(page, guest);
}

async function expectGuestPage(page: Page, { siteId, id, firstName }: Guest): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`/reservations/guest/${siteId}/${id}$`));
  await expect(page.getByRole('heading', { name: `${firstName} Q.` })).toBeVisible();
}

/** Presses the tab key until something of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    if ((await page.evaluate(nameOfFocus)) === name) return;
    await page.keyboard.press('Tab');
  }
  expect(await page.evaluate(nameOfFocus)).toBe(name);
}

/** Runs in the page: how far it scrolls sideways. */
function pixelsTooWide(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** Runs in the page: what has the focus is called so. */
function nameOfFocus(): string {
  const { ariaLabel, textContent } = document.activeElement ?? {};
  return (ariaLabel ?? textContent ?? '').trim();
}
