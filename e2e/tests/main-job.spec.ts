import type { Locator, Page } from '@playwright/test';
import { reserve, takenPlaces, vacantPlaces } from '../lib/api.ts';
import { MAIN_SITE } from '../lib/accounts.ts';
import { Board, isGuestChange } from '../lib/board.ts';
import { pressEnter } from '../lib/keys.ts';
import { click, signInOnScreen } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';
import { Witness } from '../lib/witness.ts';

// Its sign-in needs a code of its own, and one who signed in a moment ago elsewhere gets none for a minute: a server of its own.
test.use({ serverName: 'main-job' });

test('a reservation from the public side becomes a guest who is moved, swapped and discharged, and a second browser sees it all', async ({
  openContext,
  apiAs,
  server,
}) => {
  const admin = await apiAs('admin');
  const site = await admin.siteCalled(MAIN_SITE);
  const [first, second] = vacantPlaces(site);
  const [taken] = takenPlaces(site);
  if (!first || !second || !taken?.bed.guest) throw new Error('The demo has too few beds for this test.');
  const other = taken.bed.guest.displayName;

  const watching = await (await openContext('admin')).newPage();
  const watched = new Board(watching);
  await watched.open(site.id);
  const witness = new Witness(watching);

  const page = await (await openContext(null)).newPage();
  await test.step('sign in with the code from the message', async () => {
    await signInOnScreen(page, server.origin, 'intake', click);
    await expect(page).toHaveURL(/\/organizations$/);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reservations' }).click();
    // Until it has come, the screen before it stands, whose cards name the site, too.
    await expect(page.getByRole('heading', { level: 1, name: 'Reservations' })).toBeVisible();
    await page.getByRole('link', { name: MAIN_SITE }).click();
    await page.getByRole('tab', { name: /^Reservations/ }).click();
  });

  let guest = { id: '', name: '' };
  await test.step('a reservation arrives', async () => {
    const arrived = watched.waiting.getByText('Nadia Q', { exact: false }).first();
    await witness.sees(arrived, async () => {
      const made = await reserve(page.request, admin, site, 'Nadia');
      guest = { id: made.id, name: made.displayName };
    });
  });

  await test.step('accept it into a bed', async () => {
    await page.getByRole('button', { name: `Accept ${guest.name}` }).click();
    await expect(page).toHaveURL(new RegExp(`/reservations-request/${guest.id}`));
    // The tile is what people press; the radio button in it is for the keyboard.
    const choice = page.getByRole('radio', { name: `${first.bed.name}, ${first.house}` });
    await page.locator('label').filter({ has: choice }).click();
    await expect(choice).toBeChecked();
    await witness.sees(watched.guestIn(first, guest.name), async () => {
      const answer = page.waitForResponse(isGuestChange);
      await page.getByRole('button', { name: 'Accept into this bed' }).click();
      expect((await answer).status()).toBe(200);
    });
    await expect(watched.waiting.getByText(guest.name)).toBeHidden();
  });

  const board = new Board(page);
  await test.step('drag to another bed', async () => {
    // Accepting leads back to where it began.
    await expect(page).not.toHaveURL(/reservations-request/);
    await page.getByRole('tab', { name: /^Guests/ }).click();
    await page.getByRole('button', { name: 'Move Guests' }).click();
    await board.guestIn(first, guest.name).hover();
    await page.mouse.down();
    await board.bed(second).hover();
    await board.bed(second).hover();
    await page.mouse.up();
    await expect(page.getByText(/Do you want to assign .* \?/)).toBeVisible();
    await witness.sees(watched.guestIn(second, guest.name), () => board.confirm('Assign', (button) => button.click()));
    await expect(board.guestIn(second, guest.name)).toBeVisible();
  });

  await test.step('swap in Move mode by keyboard', async () => {
    await page.getByRole('button', { name: `Move ${guest.name}` }).focus();
    await page.keyboard.press('Enter');
    const own = page.getByRole('button', { name: `${second.bed.name}, ${second.house}, current bed` });
    await expect(own).toBeFocused();
    const goal = page.getByRole('button', { name: `Swap with ${other}, ${taken.bed.name}, ${taken.house}` });
    await walkTo(page, goal);
    await page.keyboard.press('Enter');
    await expect(page.getByText(/Do you want to swap .*\?/)).toBeVisible();
    await witness.sees(watched.guestIn(taken, guest.name), () =>
      board.confirm('Swap', async (button) => {
        await button.focus();
        await pressEnter(page);
      }),
    );
    await expect(watched.guestIn(second, other)).toBeVisible();
    await expect(page.getByRole('button', { name: `Move ${guest.name}` })).toBeFocused();
    await expect(board.dialog.getByRole('status').filter({ hasText: 'is now in' })).toContainText(
      `${guest.name} is now in ${taken.bed.name}, ${taken.house}.`,
    );
  });

  await test.step('discharge', async () => {
    await page.getByRole('button', { name: 'Close the board' }).click();
    await page.getByRole('button', { name: `Actions for ${guest.name}` }).click();
    await page.getByRole('menuitem', { name: 'Discharge' }).click();
    const question = page.getByRole('dialog', { name: /^Discharge/ });
    await question.getByLabel('Feedback').fill('Moved on to sober living.');
    await witness.sees(watched.bed(taken).getByText('Vacant'), async () => {
      const answer = page.waitForResponse(isGuestChange);
      await question.getByRole('button', { name: 'Discharge' }).click();
      expect((await answer).status()).toBe(200);
    });
    await expect(page.getByRole('button', { name: `Actions for ${guest.name}` })).toBeHidden();
  });

  const discharged = await (await admin.get(`/api/Guests/${guest.id}`)).json();
  expect(discharged).toMatchObject({ status: 'discharged', feedback: 'Moved on to sober living.' });
});

/** Walks through the beds in reading order, by the arrow keys alone, until the goal has the focus. */
async function walkTo(page: Page, goal: Locator): Promise<void> {
  await page.keyboard.press('Home');
  for (let house = 0; house < 20; house += 1) await page.keyboard.press('PageUp');
  for (let step = 0; step < 200; step += 1) {
    if (await goal.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('ArrowRight');
  }
  await expect(goal).toBeFocused();
}
