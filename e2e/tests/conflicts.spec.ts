import type { Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Api, type Place, reserve, type Site, takenPlaces, vacantPlaces } from '../lib/api.ts';
import { Board, isGuestChange } from '../lib/board.ts';
import { expect, test } from '../lib/test.ts';

/** A browser whose live connection is cut: it learns of a rival only by the server's refusal. */
async function withoutNews(page: Page): Promise<Page> {
  await page.route('**/api/live', (route) => route.abort());
  return page;
}

/** The main site with at least this many vacant beds, and a guest put into the first of them. */
async function withGuestInBed(page: Page, api: Api, firstName: string) {
  const site = await api.siteCalled(MAIN_SITE);
  const [home, goal, third] = vacantPlaces(site) as [Place, Place, Place];
  const reservation = await reserve(page.request, api, site, firstName);
  const guest = await api.command(reservation, 'ACCEPTED', home.bed.id);
  return { site, home, goal, third, guest };
}

async function tidyUp(api: Api, ...guests: { id: string }[]): Promise<void> {
  for (const guest of guests) await api.command(guest, 'DISCHARGED');
}

test('a bed taken by someone else is explained on the board, and the next free bed is one press away', async ({
  openContext,
  apiAs,
}) => {
  const admin = await apiAs('admin');
  const page = await withoutNews(await (await openContext('owner')).newPage());
  const { site, guest, goal } = await withGuestInBed(page, admin, 'Lorena');
  const rival = await reserve(page.request, admin, site, 'Rival');
  const board = new Board(page);
  await board.open(site.id);
  await page.getByRole('button', { name: `Move ${guest.displayName}` }).click();
  await admin.command(rival, 'ACCEPTED', goal.bed.id);

  await page.getByRole('button', { name: `Assign to ${goal.bed.name}, ${goal.house}` }).click();
  const answer = page.waitForResponse(isGuestChange);
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  expect((await answer).status()).toBe(409);
  const problem = (await (await answer).json()) as { message: string };

  const alert = board.dialog.getByRole('alert').filter({ hasText: 'An error occurred while assigning the bed.' });
  await expect(alert).toBeVisible();
  expect(problem.message).not.toBe('');
  // The board has caught up: the rival lies in the bed, our guest where it was.
  await expect(board.guestIn(goal, rival.displayName)).toBeVisible();

  const offered = page.waitForResponse(isGuestChange);
  await alert.getByRole('button', { name: `Assign ${guest.displayName} to` }).click();
  expect((await offered).status()).toBe(200);
  await expect(alert).toBeHidden();
  await tidyUp(admin, guest, rival);
});

test('a bed taken by someone else is explained where a reservation is accepted', async ({ openContext, apiAs }) => {
  const admin = await apiAs('admin');
  const page = await withoutNews(await (await openContext('owner')).newPage());
  const site = await admin.siteCalled(MAIN_SITE);
  const [goal] = vacantPlaces(site) as [Place];
  const guest = await reserve(page.request, admin, site, 'Odette');
  const rival = await reserve(page.request, admin, site, 'Rival');

  await page.goto(`/reservations-request/${guest.id}`);
  await choose(page, goal);
  await admin.command(rival, 'ACCEPTED', goal.bed.id);
  await page.getByRole('button', { name: 'Accept into this bed' }).click();

  const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: /^Choose .* instead$/ }) });
  await expect(alert).toContainText(`put another guest into ${goal.bed.name}`);
  await expect(alert).toContainText(/Odette \S+ is still waiting\./);
  await alert.getByRole('button').click();
  const answer = page.waitForResponse(isGuestChange);
  await page.getByRole('button', { name: 'Accept into this bed' }).click();
  expect((await answer).status()).toBe(200);
  await tidyUp(admin, guest, rival);
});

test('a guest who was discharged elsewhere is not moved, and the board says how it is now', async ({
  openContext,
  apiAs,
}) => {
  const admin = await apiAs('admin');
  const page = await withoutNews(await (await openContext('owner')).newPage());
  const { site, guest, home, goal } = await withGuestInBed(page, admin, 'Salma');
  const board = new Board(page);
  await board.open(site.id);
  await page.getByRole('button', { name: `Move ${guest.displayName}` }).click();
  await admin.command(guest, 'DISCHARGED');
  await page.getByRole('button', { name: `Assign to ${goal.bed.name}, ${goal.house}` }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(board.dialog.getByRole('alert')).toContainText('An error occurred while assigning the bed.');
  await expect(board.bed(home).getByText('Vacant')).toBeVisible();
});

test('accepting a public reservation without a subscription is explained before a bed is chosen', async ({
  openContext,
  apiAs,
}) => {
  const owner = await apiAs('owner');
  const site = await owner.siteCalled('Harbor Light Anaheim Detox');
  const page = await (await openContext('owner')).newPage();
  const guest = await reserve(page.request, owner, site, 'Yolanda');
  await page.goto(`/reservations-request/${guest.id}`);
  await expect(page.getByText('Accepting needs an active subscription')).toBeVisible();
  await expect(page.getByText(`The last payment for ${site.name} did not go through.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept into this bed' })).toHaveCount(0);
  await owner.command(guest, 'REJECTED');
});

test('changes of others neither end nor spoil a drag in progress', async ({ openContext, apiAs }) => {
  const admin = await apiAs('admin');
  const page = await (await openContext('owner')).newPage();
  const { site, guest, home, goal, third } = await withGuestInBed(page, admin, 'Marta');
  const other = takenPlaces(site)[0]?.bed.guest;
  if (!other) throw new Error('Nobody else has a bed.');
  const before = placeOf(await admin.site(site.id), other.id);
  const board = new Board(page);
  await board.open(site.id);

  await board.guestIn(home, guest.displayName).hover();
  await page.mouse.down();
  await board.bed(goal).hover();
  await expect(board.dialog.getByText(guest.displayName, { exact: true })).toHaveCount(2);
  // Another window of the same person hears of the change, so this one has heard of it too.
  const elsewhere = new Board(await (await openContext('owner')).newPage());
  await elsewhere.open(site.id);
  await admin.command(other, 'REASSIGNED', third.bed.id);
  await expect(elsewhere.guestIn(third, other.displayName)).toBeVisible();
  await expect(board.guestIn(third, other.displayName)).toBeHidden();

  await board.bed(goal).hover();
  await page.mouse.up();
  await expect(page.getByText(/Do you want to assign .* \?/)).toBeVisible();
  await board.confirm('Assign', (button) => button.click());
  await expect(board.guestIn(goal, guest.displayName)).toBeVisible();
  await expect(board.guestIn(third, other.displayName)).toBeVisible();

  await admin.command(other, 'REASSIGNED', before.bed.id);
  await tidyUp(admin, guest);
});

async function choose(page: Page, { bed, house }: Place): Promise<void> {
  const choice = page.getByRole('radio', { name: `${bed.name}, ${house}` });
  await page.locator('label').filter({ has: choice }).click();
  await expect(choice).toBeChecked();
}

function placeOf(site: Site, guestId: string): Place {
  const found = takenPlaces(site).find(({ bed }) => bed.guest?.id === guestId);
  if (!found) throw new Error('The guest has no bed.');
  return found;
}
