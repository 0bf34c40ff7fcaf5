import { type Place, takenPlaces } from '../api.ts';
import { fillNewGuest } from '../new-guest.ts';
import { expect } from '../test.ts';
import type { Shift } from './begin.ts';

/** Goes from Today to the waitlist of the site, and puts a person on it. */
export async function addToWaitlist({ page, hands, site }: Shift): Promise<void> {
  await hands.open(page, 'Today');
  const free = page.getByRole('list', { name: 'Free now' });
  await hands.press(free.getByRole('link', { name: site.name, exact: true }));
  await hands.press(page.locator('main').getByRole('link', { name: 'Waitlist' }));
  await hands.press(page.getByRole('button', { name: 'Add to waitlist' }));
  const form = page.getByRole('dialog', { name: 'Add to waitlist' });
  // The last field to come.
  await expect(form.getByLabel('City').first()).toBeVisible();
  await fillNewGuest(form, hands.waiting, hands);
  await hands.press(form.getByRole('button', { name: 'Add to waitlist' }));
  await expect(form).toBeHidden();
  const person = page.getByRole('listitem').filter({ hasText: `${hands.waiting} K.` });
  await expect(person).toContainText('Has just been put on');
}

/** A guest leaves, and the bed is offered to the person who waits. A freed bed is left alone for ten seconds before. */
export async function seeOffer({ page, hands, api, site }: Shift): Promise<Place> {
  await hands.open(page, 'History');
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  const leaving = takenPlaces(await api.site(site.id)).find(({ bed }) => bed.guest?.isArriving === false);
  if (!leaving?.bed.guest) throw new Error('Nobody has arrived who could leave.');
  await api.command(leaving.bed.guest, 'DISCHARGED');
  const told = page.getByRole('status').filter({ hasText: `A bed at ${site.name} is on offer` });
  await expect(told).toBeVisible({ timeout: 40_000 });
  await hands.press(told.getByRole('button', { name: 'Show' }));
  await expect(page).toHaveURL(new RegExp(`/waitlist/${site.id}`));
  return leaving;
}

/** Nobody but the person who waits can get the bed that is on offer. */
export async function expectKept({ api, site }: Shift, { bed }: Place): Promise<void> {
  const { counts, rooms } = await api.site(site.id);
  expect([counts.vacant, counts.available, counts.offered]).toEqual([1, 0, 1]);
  expect(rooms.flatMap(({ beds }) => beds).find(({ id }) => id === bed.id)?.offeredUntil).not.toBeNull();
}

/** The person says yes. */
export async function takeOffer({ page, hands, api, site }: Shift, { bed, house }: Place): Promise<void> {
  const name = `${hands.waiting} K.`;
  await expect(page.getByText(`${bed.name} (`)).toBeVisible();
  await hands.press(page.getByRole('button', { name: `Takes the bed: ${name}` }));
  const told = page.getByRole('status').filter({ hasText: `${name} has the bed ${house} / ${bed.name}.` });
  await expect(told).toBeVisible();
  await expect(page.getByText('Nobody is waiting')).toBeVisible();
  const placed = (await api.guests(site.id)).find(({ firstName }) => firstName === hands.waiting);
  expect([placed?.status, placed?.assignedBedId, placed?.isArriving]).toEqual(['accepted', bed.id, true]);
}
