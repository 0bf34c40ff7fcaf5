import type { BrowserContext, Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Api, type Guest, reserve, type Site } from '../lib/api.ts';
import { Board } from '../lib/board.ts';
import { expect, test } from '../lib/test.ts';

test.use({ serverName: 'clocks' });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

declare global {
  interface Window {
    /** Sets the clock of this browser: milliseconds ahead of the right time. */
    setClock: (ahead: number) => void;
  }
}

/** A browser whose clock is wrong; its monotonic clock runs as every other. */
async function withClock(context: BrowserContext, ahead: number): Promise<Page> {
  await context.addInitScript((first) => {
    const RealDate = Date;
    let offset = first;
    class WrongDate extends RealDate {
      constructor(...parts: unknown[]) {
        if (parts.length === 0) super(RealDate.now() + offset);
        else super(...(parts as [number]));
      }
      static override now(): number {
        return RealDate.now() + offset;
      }
    }
    globalThis.Date = WrongDate as DateConstructor;
    window.setClock = (next: number) => {
      offset = next;
    };
  }, ahead);
  return context.newPage();
}

/** Two reservations with a hold at the main site, made for this test. */
async function twoReservations(api: Api): Promise<{ site: Site; guests: Guest[] }> {
  const site = await api.siteCalled(MAIN_SITE);
  const guests = [await reserve(api.request, api, site, 'Linda'), await reserve(api.request, api, site, 'Monika')];
  return { site, guests };
}

/** What stands in the table of reservations: each row as it is read, without what a minute changes. */
async function rows(page: Page, site: Site): Promise<string[]> {
  await page.goto(`/reservations/${site.id}?tab=reservations`);
  const table = page.getByRole('table', { name: 'Pending reservations' });
  await expect(table.getByRole('row').filter({ hasText: 'left' }).first()).toBeVisible();
  const texts = await table.getByRole('row').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\d+ min left|\d+:\d+ left/g, 'left').replaceAll(/\s+/g, ' '));
}

test('reservations, counts, board and accept page are the same whatever the clock of the browser says', async ({
  openContext,
  apiAs,
}) => {
  test.setTimeout(120_000);
  const api = await apiAs('admin');
  const { site, guests } = await twoReservations(api);
  const [linda] = guests as [Guest, Guest];
  const right = await rows(await withClock(await openContext('owner'), 0), site);
  expect(right.filter((row) => row.includes('left')).length).toBeGreaterThan(1);

  for (const ahead of [DAY, HOUR, -DAY]) {
    const page = await withClock(await openContext('owner'), ahead);
    expect(await rows(page, site), `${ahead / HOUR} hours ahead`).toEqual(right);
    await expect(page.getByRole('tab', { name: `Reservations (${right.length - 1})` })).toBeVisible();

    await page.goto(`/reservations-request/${linda.id}`);
    await expect(page.getByRole('button', { name: 'Accept into this bed' })).toBeVisible();
    await expect(page.getByText('Hold has ended')).toHaveCount(0);
    await expect(page.getByText(/^(\d+ h )?\d+ min left$/).first()).toBeVisible();

    const board = new Board(page);
    await board.open(site.id);
    await expect(board.waiting.getByRole('listitem')).toHaveCount(right.length - 1);
  }
  for (const guest of guests) await api.command(guest, 'REJECTED');
});

test('a clock that jumps while the page is open changes nothing and signs nobody out', async ({
  openContext,
  apiAs,
}) => {
  const api = await apiAs('admin');
  const { site, guests } = await twoReservations(api);
  const [linda] = guests as [Guest, Guest];
  const page = await withClock(await openContext('owner'), 0);
  const before = await rows(page, site);
  for (const ahead of [DAY, -DAY, HOUR]) {
    await page.evaluate((next) => window.setClock(next), ahead);
    // What is drawn from now on is drawn by the new clock, if by any of the browser.
    await page
      .getByRole('row')
      .filter({ hasText: linda.displayName.split(' ')[0] })
      .first()
      .click();
    const details = page.getByRole('dialog').first();
    await expect(details.getByText(/\d+ min left$/).first()).toBeVisible();
    await expect(details.getByText('Hold has ended')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    const table = page.getByRole('table', { name: 'Pending reservations' });
    expect(await table.getByRole('row').count()).toBe(before.length);
    await expect(page.getByText('Are you still there?')).toHaveCount(0);
    expect(page.url()).toContain(`/reservations/${site.id}`);
  }
  for (const guest of guests) await api.command(guest, 'REJECTED');
});
