import type { APIRequestContext, Page } from '@playwright/test';
import { MAIN_SITE } from '../accounts.ts';
import { type Api, type Site, vacantPlaces, withRoomFor } from '../api.ts';
import { expect } from '../test.ts';
import type { Today } from '../today.ts';
import type { Hands } from './hands.ts';

/** The shift of an intake user in one browser. */
export interface Shift {
  readonly page: Page;
  readonly today: Today;
  readonly hands: Hands;
  /** The site that everybody asks. */
  readonly site: Site;
  /** What other people do meanwhile, and what the server knows. */
  readonly api: Api;
  /** Who looks for a bed, without an account. */
  readonly outside: APIRequestContext;
}

/**
 * Makes the main site ready for a shift: nobody waits for a decision at any site of the intake user, so many beds are vacant,
 * and the site asks whether accepted guests have come.
 */
export async function readySite(owner: Api, intake: Api, beds: number): Promise<Site> {
  const { items } = (await (await intake.get('/api/Sites?pageSize=100')).json()) as { items: Site[] };
  for (const { id } of items) {
    for (const guest of await intake.guests(id)) {
      if (guest.status === 'pending') await intake.command(guest, 'REJECTED');
      else if (guest.isArriving) await intake.command(guest, 'ARRIVED');
    }
  }
  const site = await withRoomFor(intake, MAIN_SITE, beds);
  for (const { bed } of vacantPlaces(site).slice(beds)) {
    const edit = { name: bed.name, type: bed.type, disabled: true, disabledReason: 'Painted', version: bed.version };
    await expect(await owner.put(`/api/Beds/${bed.id}`, edit)).toBeOK();
  }
  await expect(await owner.put(`/api/Sites/${site.id}/arrivals`, { asksArrival: true })).toBeOK();
  const ready = await intake.site(site.id);
  expect([ready.counts.vacant, ready.counts.available]).toEqual([beds, beds]);
  return ready;
}
