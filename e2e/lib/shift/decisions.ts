import { MAIN_SITE } from '../accounts.ts';
import { type Guest, reserve } from '../api.ts';
import { expect, test } from '../test.ts';
import type { Shift } from './begin.ts';

const FEEDBACK = 'No answer at this number.';

/** Of the eight reservations of a shift, so many are accepted; the others are declined. */
export const ACCEPTED = 6;

export interface Decided {
  readonly accepted: readonly [Guest, Guest, Guest, Guest, Guest, Guest];
  readonly declined: readonly Guest[];
}

/** Eight reservations arrive and are decided in Today; a decline and an accept are undone. */
export async function decideEight(shift: Shift): Promise<Decided> {
  const { page, today, hands, api } = shift;
  const beds = new Map<Guest, string>();
  const accept = async (guest: Guest) => void beds.set(guest, await hands.accept(today, guest));

  const [ada, bruno, clara, dora] =
    await test.step('four arrive, each without a reload, the soonest hold first', async () => {
      const guests: Guest[] = [];
      for (const name of ['Ada', 'Bruno', 'Clara', 'Dora']) guests.push(await arrive(shift, name));
      await expect(today.waiting.getByRole('listitem')).toContainText(guests.map(({ code }) => code));
      await expect(page.getByRole('heading', { name: 'Needs a decision (4)' })).toBeVisible();
      return guests as [Guest, Guest, Guest, Guest];
    });

  await test.step('one is accepted, and the next row is gone on with', async () => {
    await accept(ada);
    await expect(today.accept(bruno)).toBeFocused();
  });

  await test.step('one is declined with feedback', async () => {
    await hands.decline(today, bruno, FEEDBACK);
    await expect(today.accept(clara)).toBeFocused();
  });

  const enno = await test.step('one arrives while a bed is chosen, and the choice stays', async () => {
    await hands.press(today.accept(clara));
    await today.proposed(clara);
    const bed = await today.otherBed(clara);
    await hands.chooseBed(today, clara, bed);
    expect(await today.proposed(clara)).toBe(bed);
    const guest = await arrive(shift, 'Enno');
    expect(await today.proposed(clara)).toBe(bed);
    await today.answer(() => hands.press(today.confirm(clara)));
    await today.expectDecided(clara, 'is reserved for');
    beds.set(clara, bed);
    await expect(today.row(guest)).toBeVisible();
    return guest;
  });

  await test.step('a decline is undone, and the reservation is accepted', async () => {
    await hands.decline(today, dora);
    await undo(shift, dora);
    await accept(dora);
  });

  await test.step('an accept is undone, and the reservation is accepted again', async () => {
    await accept(enno);
    await undo(shift, enno);
    await accept(enno);
  });

  const [fritz, gerda, hugo] = await test.step('the last three are decided as they come', async () => {
    const first = await arrive(shift, 'Fritz');
    const second = await arrive(shift, 'Gerda');
    await hands.decline(today, first);
    await accept(second);
    const third = await arrive(shift, 'Hugo');
    await accept(third);
    return [first, second, third];
  });

  const decided: Decided = { accepted: [ada, clara, dora, enno, gerda, hugo], declined: [bruno, fritz] };
  await test.step('nobody waits, Today was never left, and it tells what happened', async () => {
    await expect(page.getByText('Nothing needs a decision')).toBeVisible();
    expect(today.visited.filter((path) => path !== '/today')).toEqual([]);
    expect(await page.evaluate(pixelsTooWide), 'nothing scrolls sideways').toBeLessThanOrEqual(0);
    await expectTold(shift, decided, beds);
    expect((await api.guest(bruno.id)).feedback).toBe(FEEDBACK);
  });
  return decided;
}

/** Somebody reserves, and Today shows it without a reload. */
async function arrive({ outside, api, site, today }: Shift, firstName: string): Promise<Guest> {
  const guest = await reserve(outside, api, site, firstName);
  await expect(today.row(guest)).toContainText(site.name);
  return guest;
}

async function undo({ today, hands, api }: Shift, guest: Guest): Promise<void> {
  await today.answer(() => hands.undo(today, guest));
  await expect(today.told(guest, 'is pending again')).toBeVisible();
  await expect(today.row(guest)).toBeVisible();
  expect((await api.guest(guest.id)).status).toBe('pending');
}

/** Today and the server tell the same of each guest. */
async function expectTold(
  { page, today, api, site }: Shift,
  { accepted, declined }: Decided,
  beds: ReadonlyMap<Guest, string>,
): Promise<void> {
  const told = today.moves.getByRole('listitem');
  for (const guest of accepted) {
    await expect(told.filter({ hasText: guest.code })).toContainText('Accepted into');
    const now = await api.guest(guest.id);
    expect([now.status, now.isArriving]).toEqual(['accepted', true]);
    expect(beds.get(guest)).toContain(`${now.bed?.name}, ${now.room?.name}`);
  }
  for (const guest of declined) {
    await expect(told.filter({ hasText: guest.code })).toContainText('Declined');
    expect((await api.guest(guest.id)).status).toBe('rejected');
  }
  expect((await api.site(site.id)).counts.available).toBe(0);
  const free = page.getByRole('list', { name: 'Free now' }).getByRole('listitem').filter({ hasText: MAIN_SITE });
  await expect(free).toContainText('0 available');
}

/** Runs in the page: how far it scrolls sideways. */
function pixelsTooWide(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}
