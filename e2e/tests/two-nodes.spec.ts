import type { Locator, Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Api, type Guest, type Place, reserve, type Site, vacantPlaces } from '../lib/api.ts';
import { Board } from '../lib/board.ts';
import { fillNewGuest, openNewGuest } from '../lib/new-guest.ts';
import { createDatabase, type Database } from '../lib/postgres.ts';
import { type Server, startServer } from '../lib/server.ts';
import { expect, test as base } from '../lib/test.ts';

const LOST = 'No connection to the server. Trying again…';

/** Two servers over one PostgreSQL: `server` is the first, the one that dies; `second` is the other. */
const test = base.extend<object, { database: Database; second: Server }>({
  database: [
    async ({}, use) => {
      const database = createDatabase();
      await use(database);
      database.drop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ database }, use) => {
      const server = await startServer({ databaseUrl: database.url });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  // After the first, which fills the database.
  second: [
    async ({ database, server }, use) => {
      const second = await startServer({ databaseUrl: database.url });
      expect(second.origin).not.toBe(server.origin);
      await use(second);
      await second.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('of two servers over one database one is killed: its browsers lose nothing and come back by themselves', async ({
  openContext,
  apiAs,
  server,
  second,
  database,
}) => {
  test.setTimeout(300_000);
  const api = await apiAs('admin');
  const site = await api.siteCalled(MAIN_SITE);
  const [home, goal, next] = vacantPlaces(site) as [Place, Place, Place];
  const here = await openContext('owner');
  const there = await openContext('intake', { baseURL: second.origin });
  const guest = await withBed(api, site, home);

  // One browser on each node, on the same board; the first has a form open in another tab.
  const first = new Board(await here.newPage());
  const other = new Board(await there.newPage());
  await first.open(site.id);
  await other.open(site.id);
  const typing = await here.newPage();
  await typing.goto(`/reservations/${site.id}?tab=reservations`);
  const form = await openNewGuest(typing);
  await fillNewGuest(form, 'Ingrid');
  for (const page of [first.page, other.page, typing]) await markLoad(page);

  // What is done on the first shows on the second, and the other way round.
  await move(first, guest, goal);
  await expect(other.guestIn(goal, guest.displayName)).toBeVisible();
  await move(other, guest, home);
  await expect(first.guestIn(home, guest.displayName)).toBeVisible();

  await server.kill();
  // It is said plainly, on the board as on the form; what was typed stays, also when it is sent in vain.
  for (const page of [first.page, typing]) await expectSeen(page.getByText(LOST));
  await form.getByRole('button', { name: 'Add guest' }).click();
  await expect(form.getByRole('alert')).toBeVisible();
  await expect(form.getByLabel('First name')).toHaveValue('Ingrid');
  await expect(form.getByLabel('Email')).toHaveValue('ingrid@mail.example');
  // A board that cannot reach anyone changes nothing and says so.
  await expect(first.guestIn(home, guest.displayName)).toBeVisible();

  // The second goes on: it sees what others do, and its own changes are made.
  await expect(other.page.getByText(LOST)).toBeHidden();
  await move(other, guest, next);
  await expect(other.guestIn(next, guest.displayName)).toBeVisible();

  const again = await startServer({ databaseUrl: database.url, origin: server.origin });
  try {
    expect(again.origin).toBe(server.origin);
    // Nobody reloads: the first browser comes back and shows what happened meanwhile.
    await expect(first.guestIn(next, guest.displayName)).toBeVisible({ timeout: 45_000 });
    for (const page of [first.page, typing]) await expect(page.getByText(LOST)).toBeHidden({ timeout: 45_000 });
    // What was sent in vain is sent by itself, once.
    await expect(form).toBeHidden({ timeout: 45_000 });
    await expect(typing.getByRole('row').filter({ hasText: 'Ingrid' })).toHaveCount(1);
    // And news cross from node to node again.
    await move(other, guest, goal);
    await expect(first.guestIn(goal, guest.displayName)).toBeVisible();
    for (const page of [first.page, other.page, typing]) expect(await wasReloaded(page)).toBe(false);
    const added = (await api.guests(site.id)).filter(({ firstName }) => firstName === 'Ingrid');
    expect(added).toHaveLength(1);
  } finally {
    await again.stop();
  }
});

async function withBed(api: Api, site: Site, place: Place): Promise<Guest> {
  const reservation = await reserve(api.request, api, site, 'Solveig');
  return api.command(reservation, 'ACCEPTED', place.bed.id);
}

/** Moves a guest as a person does without a mouse: Move, then the bed, then yes. */
async function move(board: Board, guest: Guest, { bed, house }: Place): Promise<void> {
  await board.page.getByRole('button', { name: `Move ${guest.displayName}` }).click();
  await board.page.getByRole('button', { name: `Assign to ${bed.name}, ${house}` }).click();
  await board.confirm('Assign', (button) => button.click());
}

/** In the window, and on top of whatever is open. */
async function expectSeen(notice: Locator): Promise<void> {
  await expect(notice).toBeVisible({ timeout: 20_000 });
  await expect(notice).toBeInViewport();
}

/** A mark in the page that a reload would wipe out. */
async function markLoad(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-same-load', ''));
}

async function wasReloaded(page: Page): Promise<boolean> {
  return page.evaluate(() => !document.documentElement.hasAttribute('data-same-load'));
}
