import type { Locator } from '@playwright/test';
import { takenPlaces, reserve, vacantPlaces } from '../lib/api.ts';
import { OTHER_SITE } from '../lib/accounts.ts';
import { Board, isGuestChange } from '../lib/board.ts';
import { signInOnScreen, tap } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';
import { Finger } from '../lib/touch.ts';
import { Witness } from '../lib/witness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('the same job by touch on a phone', async ({ openContext, apiAs, server }) => {
  const admin = await apiAs('admin');
  const site = await admin.siteCalled(OTHER_SITE);
  // On a phone two beds of one house stand near each other.
  const house = site.rooms.find((room) => vacantPlaces({ ...site, rooms: [room] }).length >= 2);
  const [first, second] = house ? vacantPlaces({ ...site, rooms: [house] }) : [];
  const [taken] = takenPlaces(site);
  if (!first || !second || !taken?.bed.guest) throw new Error('The demo has too few beds for this test.');
  const other = taken.bed.guest.displayName;

  const watching = await (await openContext('admin')).newPage();
  const watched = new Board(watching);
  await watched.open(site.id);
  const witness = new Witness(watching);

  const page = await (await openContext(null, PHONE)).newPage();
  await test.step('sign in and find the site in the drawer', async () => {
    await signInOnScreen(page, server.origin, 'otherIntake', tap);
    await page.getByRole('button', { name: 'Open navigation' }).tap();
    await page.getByRole('link', { name: 'Reservations' }).tap();
    await page.getByRole('link', { name: OTHER_SITE }).tap();
    await page.getByRole('tab', { name: /^Reservations/ }).tap();
  });

  const guest = await reserve(page.request, admin, site, 'Tamika');
  await test.step('accept it into a bed', async () => {
    await page.getByRole('button', { name: `Accept ${guest.displayName}` }).tap();
    const choice = page.getByRole('radio', { name: `${first.bed.name}, ${first.house}` });
    await page.locator('label').filter({ has: choice }).tap();
    await witness.sees(watched.guestIn(first, guest.displayName), async () => {
      const answer = page.waitForResponse(isGuestChange);
      await page.getByRole('button', { name: 'Accept into this bed' }).tap();
      expect((await answer).status()).toBe(200);
    });
  });

  const board = new Board(page);
  await test.step('drag with a finger to another bed', async () => {
    // Accepting leads back to where it began.
    await expect(page).not.toHaveURL(/reservations-request/);
    await page.getByRole('tab', { name: /^Guests/ }).tap();
    await page.getByRole('button', { name: 'Move Guests' }).tap();
    const finger = await Finger.on(page);
    const card = board.guestIn(first, guest.displayName);
    await centre(card);
    // The card under the finger and what follows it both carry the name.
    const lifted = () => expect(board.dialog.getByText(guest.displayName, { exact: true })).toHaveCount(2);
    await finger.drag(card, board.bed(second), lifted);
    await expect(page.getByText(/Do you want to assign .* \?/)).toBeVisible();
    await witness.sees(watched.guestIn(second, guest.displayName), () => board.confirm('Assign', tap));
    await expect(board.guestIn(second, guest.displayName)).toBeVisible();
  });

  await test.step('swap in Move mode by two taps', async () => {
    await page.getByRole('button', { name: `Move ${guest.displayName}` }).tap();
    await page.getByRole('button', { name: `Swap with ${other}, ${taken.bed.name}, ${taken.house}` }).tap();
    await witness.sees(watched.guestIn(taken, guest.displayName), () => board.confirm('Swap', tap));
    await expect(watched.guestIn(second, other)).toBeVisible();
  });

  await test.step('discharge', async () => {
    await page.getByRole('button', { name: 'Close the board' }).tap();
    await page.getByRole('button', { name: `Actions for ${guest.displayName}` }).tap();
    await page.getByRole('menuitem', { name: 'Discharge' }).tap();
    const question = page.getByRole('dialog', { name: /^Discharge/ });
    await witness.sees(watched.bed(taken).getByText('Vacant'), async () => {
      const answer = page.waitForResponse(isGuestChange);
      await question.getByRole('button', { name: 'Discharge' }).tap();
      expect((await answer).status()).toBe(200);
    });
  });
});

/** Brings something to the middle of the window, clear of the edges near which a drag scrolls. */
async function centre(target: Locator): Promise<void> {
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}
