import type { BrowserContext, Locator, Page, Request } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Api, type Guest, type Place, reserve, type Site, vacantPlaces } from '../lib/api.ts';
import { Board } from '../lib/board.ts';
import { expect, test } from '../lib/test.ts';

test.use({ serverName: 'unsent' });

const LIVE = '**/api/live';

interface Scene {
  readonly site: Site;
  readonly home: Place;
  readonly goal: Place;
  readonly guest: Guest;
}

/** A guest in the first of two vacant beds. */
async function guestInBed(api: Api, firstName: string): Promise<Scene> {
  const site = await api.siteCalled(MAIN_SITE);
  const [home, goal] = vacantPlaces(site) as [Place, Place];
  const reservation = await reserve(api.request, api, site, firstName);
  return { site, home, goal, guest: await api.command(reservation, 'ACCEPTED', home.bed.id) };
}

/** Moves the guest as a person does without a mouse, up to the yes. */
async function move(page: Page, { guest, goal }: Scene): Promise<void> {
  await page.getByRole('button', { name: `Move ${guest.displayName}` }).click();
  await page.getByRole('button', { name: `Assign to ${goal.bed.name}, ${goal.house}` }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
}

async function guestNow(api: Api, { site, guest }: Scene): Promise<Guest> {
  const found = (await api.guests(site.id)).find(({ id }) => id === guest.id);
  if (!found) throw new Error(`${guest.displayName} is gone.`);
  return found;
}

/** Every command that the page sends, with its key. */
function commands(page: Page): Request[] {
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request);
  });
  return sent;
}

function keys(sent: readonly Request[]): Set<string | undefined> {
  return new Set(sent.map((request) => request.headers()['idempotency-key']));
}

/** Tries to leave the page as its user would, and stays. */
async function leaves(page: Page): Promise<boolean> {
  const asked = page.waitForEvent('dialog', { timeout: 3000 }).then(
    async (dialog) => {
      expect(dialog.type()).toBe('beforeunload');
      await dialog.dismiss();
      return false;
    },
    () => true,
  );
  await page.close({ runBeforeUnload: true });
  return asked;
}

/** The lower edge of an element, in pixels from the top of the window. */
async function foot(of: Locator): Promise<number> {
  const box = await of.boundingBox();
  return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN);
}

async function open(context: BrowserContext, scene: Scene) {
  const page = await context.newPage();
  const board = new Board(page);
  await board.open(scene.site.id);
  return { page, board, sent: commands(page) };
}

test('a move without a network is marked, warns on leaving, and is sent when the network is back', async ({
  openContext,
  apiAs,
}) => {
  const api = await apiAs('admin');
  const scene = await guestInBed(api, 'Helga');
  const context = await openContext('owner');
  const { page, board, sent } = await open(context, scene);
  await context.setOffline(true);
  await move(page, scene);
  await expect(board.guestIn(scene.goal, scene.guest.displayName)).toBeVisible();
  await expect(board.bed(scene.goal).getByText('Not sent')).toBeVisible();
  await expect(board.dialog.getByText(/^Not sent yet: /).first()).toBeVisible();
  await expect(page.getByText('1 change is not sent yet. Keep this page open.')).toBeVisible();
  expect((await guestNow(api, scene)).assignedBedId).toBe(scene.home.bed.id);
  expect(await leaves(page)).toBe(false);

  // Elsewhere in the app it is still said, and the outcome is told there.
  await page.keyboard.press('Escape');
  await expect(board.dialog).toBeHidden();
  await expect(page.getByText('1 change is not sent yet. Keep this page open.')).toBeVisible();
  await page.getByRole('link', { name: 'Logout' }).click();
  const question = page.getByRole('dialog', { name: 'A change is not confirmed yet' });
  await question.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(question).toBeHidden();

  await context.setOffline(false);
  await expect(page.getByText(`is now in ${scene.goal.house} / ${scene.goal.bed.name}.`)).toBeVisible();
  await expect(page.getByText('1 change is not sent yet')).toBeHidden();
  const now = await guestNow(api, scene);
  expect([now.assignedBedId, now.version]).toEqual([scene.goal.bed.id, scene.guest.version + 1]);
  expect(keys(sent).size).toBe(1);
  await api.command(scene.guest, 'DISCHARGED');
});

test('on a phone, what is said about the connection covers neither the explanation nor a button', async ({
  openContext,
  apiAs,
}) => {
  const api = await apiAs('admin');
  const scene = await guestInBed(api, 'Hedwig');
  const context = await openContext('owner', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const { page, board } = await open(context, scene);
  const badge = page.getByText('1 change is not sent yet. Keep this page open.');
  const top = async () => (await badge.boundingBox())?.y ?? Number.NaN;
  await context.setOffline(true);
  await move(page, scene);
  await expect(badge).toBeVisible();
  expect(await foot(board.dialog.getByText(/^Not sent yet: /).first())).toBeLessThan(await top());
  await context.setOffline(false);
  await expect(badge).toBeHidden();

  const guest = await reserve(api.request, api, scene.site, 'Irmgard');
  await page.goto(`/reservations-request/${guest.id}`);
  await choose(page, scene.home);
  await context.setOffline(true);
  const accept = page.getByRole('button', { name: 'Accept into this bed' });
  await accept.click();
  await expect(badge).toBeVisible();
  // The bar makes room for the message once the message is there.
  await expect.poll(async () => (await foot(accept)) < (await top())).toBe(true);
  await context.setOffline(false);
  await expect(badge).toBeHidden();
  for (const one of [guest, scene.guest]) await api.command(one, 'DISCHARGED');
});

test('on a phone, the question before signing out stands alone: the menu is gone', async ({ openContext, apiAs }) => {
  const api = await apiAs('admin');
  const scene = await guestInBed(api, 'Hertha');
  const context = await openContext('owner', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const { page, board } = await open(context, scene);
  await context.setOffline(true);
  await move(page, scene);
  await expect(page.getByText('1 change is not sent yet. Keep this page open.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(board.dialog).toBeHidden();
  await page.getByRole('button', { name: 'Open navigation' }).tap();
  const menu = page.getByRole('dialog').filter({ has: page.getByRole('link', { name: 'Logout' }) });
  await menu.getByRole('link', { name: 'Logout' }).tap();
  const question = page.getByRole('dialog', { name: 'A change is not confirmed yet' });
  await expect(question).toBeVisible();
  await expect(menu).toBeHidden();
  await question.getByRole('button', { name: 'Stay signed in' }).tap();
  await expect(question).toBeHidden();
  await context.setOffline(false);
  await expect(page.getByText('1 change is not sent yet')).toBeHidden();
  await api.command(scene.guest, 'DISCHARGED');
});

test('a move whose answer was lost is not called a failure: the server is asked with the same key', async ({
  openContext,
  apiAs,
}) => {
  const api = await apiAs('admin');
  const scene = await guestInBed(api, 'Ilse');
  const context = await openContext('owner');
  const { page, board, sent } = await open(context, scene);
  await page.route(LIVE, (route) => route.abort());
  let isLost = true;
  await page.route('**/api/Guests/*', async (route) => {
    if (route.request().method() !== 'PATCH' || !isLost) return route.continue();
    // The server carries it out, and its answer never arrives.
    await route.fetch();
    await route.abort('connectionreset');
  });
  await move(page, scene);
  await expect(board.bed(scene.goal).getByText('Not confirmed')).toBeVisible();
  await expect(board.dialog.getByText(/^Not confirmed yet: /).first()).toBeVisible();
  await expect(page.getByText('was not moved')).toHaveCount(0);
  expect(await leaves(page)).toBe(false);
  isLost = false;
  await expect(board.bed(scene.goal).getByText('Not confirmed')).toBeHidden({ timeout: 30_000 });
  await expect(board.guestIn(scene.goal, scene.guest.displayName)).toBeVisible();
  expect((await guestNow(api, scene)).version).toBe(scene.guest.version + 1);
  expect(sent.length).toBeGreaterThan(1);
  expect(keys(sent).size).toBe(1);
  await api.command(scene.guest, 'DISCHARGED');
});

test('a double click on "Accept into this bed" is one intent', async ({ openContext, apiAs }) => {
  const api = await apiAs('admin');
  const site = await api.siteCalled(MAIN_SITE);
  const [goal] = vacantPlaces(site) as [Place];
  const page = await (await openContext('owner')).newPage();
  const guest = await reserve(page.request, api, site, 'Judith');
  await page.goto(`/reservations-request/${guest.id}`);
  await choose(page, goal);
  const sent = commands(page);
  await page.getByRole('button', { name: 'Accept into this bed' }).dblclick();
  await expect(page.getByText(`is now in ${goal.house} / ${goal.bed.name}.`)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(sent).toHaveLength(1);
  await api.command(guest, 'DISCHARGED');
});

test('the later of two who accept a reservation reads who was faster, and moves nobody by another press', async ({
  openContext,
  apiAs,
}) => {
  const api = await apiAs('admin');
  const site = await api.siteCalled(MAIN_SITE);
  const [goal, other] = vacantPlaces(site) as [Place, Place];
  const page = await (await openContext('owner')).newPage();
  await page.route(LIVE, (route) => route.abort());
  const guest = await reserve(page.request, api, site, 'Karin');
  await page.goto(`/reservations-request/${guest.id}`);
  await choose(page, goal);
  const winner = (await (await api.get('/connect/userinfo')).json()) as { first_name: string; last_name: string };
  await api.command(guest, 'ACCEPTED', other.bed.id);
  const sent = commands(page);
  await page.getByRole('button', { name: 'Accept into this bed' }).click();

  const alert = page.getByRole('alert').filter({ hasText: 'already has a bed' });
  await expect(alert).toContainText(`${other.house} / ${other.bed.name}`);
  await expect(alert).toContainText(`${winner.first_name} ${winner.last_name} did this at`);
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Reassign to this bed' })).toHaveCount(0);
  // Only whoever says so goes on to move the colleague's guest, and begins without a choice.
  await alert.getByRole('button', { name: 'Reassign to another bed' }).click();
  await expect(page.getByRole('heading', { name: /^Reassign .+ to another bed$/ })).toBeVisible();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  expect(sent).toHaveLength(1);
  const now = (await api.guests(site.id)).find(({ id }) => id === guest.id);
  expect(now?.assignedBedId).toBe(other.bed.id);
  await api.command(guest, 'DISCHARGED');
});

async function choose(page: Page, { bed, house }: Place): Promise<void> {
  const choice = page.getByRole('radio', { name: `${bed.name}, ${house}` });
  await page.locator('label').filter({ has: choice }).click();
  await expect(choice).toBeChecked();
}
