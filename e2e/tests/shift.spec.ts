import { markArrived, markNoShow } from '../lib/shift/arrivals.ts';
import { readySite, type Shift } from '../lib/shift/begin.ts';
import { ACCEPTED, decideEight } from '../lib/shift/decisions.ts';
import { HANDS } from '../lib/shift/hands.ts';
import { findByPhone } from '../lib/shift/telephone.ts';
import { addToWaitlist, expectKept, seeOffer, takeOffer } from '../lib/shift/waitlist.ts';
import { expect, test } from '../lib/test.ts';
import { Today } from '../lib/today.ts';

// Many reservations are made here, and the main site is filled and asks for arrivals: a server of its own.
test.use({ serverName: 'shift' });

for (const hands of HANDS) {
  test(`a shift by ${hands.by}: eight are decided in Today, a guest is found by the phone, a person waits and is offered the bed that becomes free, one arrives, one does not come`, async ({
    openContext,
    apiAs,
    request,
  }) => {
    // A freed bed is left alone for ten seconds before it is offered.
    test.setTimeout(180_000);
    const api = await apiAs('intake');
    const site = await readySite(await apiAs('owner'), api, ACCEPTED);
    const page = await (await openContext('intake', hands.context)).newPage();
    const today = new Today(page);
    const shift: Shift = { page, today, hands, site, api, outside: request };

    await test.step('the shift begins in Today, where nothing waits', async () => {
      await page.goto('/history');
      await hands.open(page, 'Today');
      await expect(page.getByText('Nothing needs a decision')).toBeVisible();
      today.visited.length = 0;
    });

    const { accepted } = await decideEight(shift);
    const [, clara] = accepted;
    const hugo = accepted[5];

    await test.step('the telephone rings: a guest is found by the last digits of the phone', async () => {
      await findByPhone(shift, clara);
    });
    await test.step('the site is full: Today leads to its waitlist, and the form puts a person on it', async () => {
      await addToWaitlist(shift);
    });
    const freed = await test.step('a guest leaves; the offer is told on whatever screen is open', async () => {
      return seeOffer(shift);
    });
    await test.step('nobody else gets the bed meanwhile', async () => {
      await expectKept(shift, freed);
    });
    await test.step('the person takes it and is in the bed', async () => {
      await takeOffer(shift, freed);
    });
    await test.step('Today asks whether the person has come', async () => {
      await markArrived(shift);
    });
    await test.step('another person does not come, and the bed is free again', async () => {
      await markNoShow(shift, hugo);
    });
  });
}
