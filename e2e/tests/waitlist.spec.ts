import { MAIN_SITE } from '../lib/accounts.ts';
import { type Api, type Guest, type Site, takenPlaces, vacantPlaces } from '../lib/api.ts';
import { isGuestChange } from '../lib/board.ts';
import { fillNewGuest } from '../lib/new-guest.ts';
import { click, type Press, tap } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';

// The main site is filled and asks for arrivals: a server of its own.
test.use({ serverName: 'waitlist' });

/** The focus is brought to it and Enter is pressed. */
const press: Press = async (target) => {
  await target.focus();
  await target.page().keyboard.press('Enter');
};

const WAYS: readonly { readonly by: string; readonly name: string; readonly act: Press; readonly context: object }[] = [
  { by: 'the mouse', name: 'Wanda', act: click, context: {} },
  { by: 'the keyboard', name: 'Xenia', act: press, context: {} },
  {
    by: 'touch on a phone',
    name: 'Yara',
    act: tap,
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
];

for (const { by, name, act, context } of WAYS) {
  test(`at a full site a person waits, is offered the bed that becomes free, gets it and arrives, by ${by}`, async ({
    openContext,
    apiAs,
  }) => {
    // A freed bed is left alone for ten seconds before it is offered.
    test.setTimeout(120_000);
    const api = await apiAs('intake');
    const site = await fullSite(await apiAs('owner'), api);
    const page = await (await openContext('intake', context)).newPage();

    await test.step('the reservations lead to the waitlist, and the form puts the person on it', async () => {
      await page.goto(`/reservations/${site.id}?tab=reservations`);
      await act(page.locator('main').getByRole('link', { name: 'Waitlist' }));
      await act(page.getByRole('button', { name: 'Add to waitlist' }));
      const form = page.getByRole('dialog', { name: 'Add to waitlist' });
      await expect(form.getByLabel('City').first()).toBeVisible();
      await fillNewGuest(form, name);
      await act(form.getByRole('button', { name: 'Add to waitlist' }));
      await expect(form).toBeHidden();
      await expect(page.getByRole('listitem').filter({ hasText: `${name} K.` })).toContainText('Has just been put on');
    });

    const freed = await test.step('a guest leaves; the offer is told on whatever screen is open', async () => {
      await page.goto('/history');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const [leaving] = takenPlaces(await api.site(site.id));
      if (!leaving?.bed.guest) throw new Error('Nobody is in a bed.');
      await api.command(leaving.bed.guest, 'DISCHARGED');
      const told = page.getByRole('status').filter({ hasText: `A bed at ${site.name} is on offer` });
      await expect(told).toBeVisible({ timeout: 40_000 });
      await act(told.getByRole('button', { name: 'Show' }));
      await expect(page).toHaveURL(new RegExp(`/waitlist/${site.id}`));
      return { ...leaving.bed, house: leaving.house };
    });

    await test.step('nobody else gets the bed meanwhile', async () => {
      const { counts, rooms } = await api.site(site.id);
      expect([counts.vacant, counts.available, counts.offered]).toEqual([1, 0, 1]);
      expect(rooms.flatMap(({ beds }) => beds).find(({ id }) => id === freed.id)?.offeredUntil).not.toBeNull();
    });

    await test.step('the person takes it and is in the bed', async () => {
      await expect(page.getByText(`${freed.name} (`)).toBeVisible();
      await act(page.getByRole('button', { name: `Takes the bed: ${name} K.` }));
      await expect(
        page.getByRole('status').filter({ hasText: `${name} K. has the bed ${freed.house} / ${freed.name}.` }),
      ).toBeVisible();
      await expect(page.getByText('Nobody is waiting')).toBeVisible();
      const placed = (await api.guests(site.id)).find((guest) => guest.firstName === name);
      expect([placed?.status, placed?.assignedBedId, placed?.isArriving]).toEqual(['accepted', freed.id, true]);
    });

    await test.step('Today asks whether the person has come', async () => {
      await page.goto('/today');
      const answer = page.waitForResponse(isGuestChange);
      await act(page.getByRole('button', { name: new RegExp(`^Arrived: ${name} K\\.`) }));
      expect((await answer).status()).toBe(200);
      await expect(
        page.getByRole('status').filter({ hasText: new RegExp(`${name} K\\..* has arrived`) }),
      ).toBeVisible();
    });

    await test.step('another person does not come, and the bed is free again', async () => {
      const absent = await arriving(api, site);
      await page.goto('/today');
      await act(page.getByRole('button', { name: `No show: ${absent.displayName}` }));
      const answer = page.waitForResponse(isGuestChange);
      await act(page.getByRole('dialog').getByRole('button', { name: 'No show' }));
      expect((await answer).status()).toBe(200);
      expect((await api.site(site.id)).counts.vacant).toBe(1);
    });
  });
}

/** The main site with every enabled bed taken, nobody waiting, and the question whether accepted guests have come. */
async function fullSite(owner: Api, intake: Api): Promise<Site> {
  const { id } = await intake.siteCalled(MAIN_SITE);
  for (const guest of await intake.guests(id)) {
    if (guest.status === 'pending') await intake.command(guest, 'REJECTED');
  }
  for (const { bed } of vacantPlaces(await intake.site(id))) {
    const edit = { name: bed.name, type: bed.type, disabled: true, disabledReason: 'Painted', version: bed.version };
    expect((await owner.put(`/api/Beds/${bed.id}`, edit)).status()).toBe(200);
  }
  await owner.put(`/api/Sites/${id}/arrivals`, { asksArrival: true });
  const site = await intake.site(id);
  expect(site.counts.vacant).toBe(0);
  return site;
}

/** Somebody leaves, and somebody else is accepted into the bed and has not come yet. */
async function arriving(api: Api, site: Site): Promise<Guest> {
  const [leaving] = takenPlaces(await api.site(site.id)).filter(({ bed }) => bed.guest && !bed.guest.isArriving);
  if (!leaving?.bed.guest) throw new Error('Nobody is in a bed.');
  const left = await api.command(leaving.bed.guest, 'DISCHARGED');
  const body = {
    siteId: site.id,
    gender: left.gender,
    ageServiceId: left.age?.id,
    firstName: 'Zoe',
    lastName: 'Q',
    phone: `+1951556${String(1000 + (Date.now() % 9000))}`,
    email: `zoe.${Date.now()}@mail.example`,
    serviceIds: left.services.map(({ id }) => id),
    typeOfClientServiceId: left.typeOfClient?.id,
    paymentMethod: 1,
    allowNotServed: true,
  };
  const added = await api.post('/api/Guests', body);
  expect(added.status(), await added.text()).toBe(201);
  return api.command((await added.json()) as Guest, 'ACCEPTED', leaving.bed.id);
}
