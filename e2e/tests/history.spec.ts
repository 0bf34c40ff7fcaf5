import { MAIN_SITE } from '../lib/accounts.ts';
import { type Guest, type Place, reserve, vacantPlaces } from '../lib/api.ts';
import { pressEnter } from '../lib/keys.ts';
import { expect, test } from '../lib/test.ts';

/** Types key by key, as a person at the telephone does. */
const SLOWLY = { delay: 20 };

test('an intake user finds a guest in the history, moves and discharges from the panel; staff have no panel', async ({
  openContext,
  apiAs,
}) => {
  const intake = await apiAs('intake');
  const page = await (await openContext('intake')).newPage();
  const site = await intake.siteCalled(MAIN_SITE);
  const [first, second] = vacantPlaces(site) as [Place, Place];
  const guests: Guest[] = [];
  for (const name of ['Zephyrine', 'Zephyra']) {
    // One after the other: the newer one stands first.
    // oxlint-disable-next-line no-await-in-loop
    guests.push(await reserve(page.request, intake, site, name));
  }
  const [placed, declined] = guests as [Guest, Guest];
  await intake.command(placed, 'ACCEPTED', first.bed.id);
  await intake.command(declined, 'REJECTED');

  await test.step('search', async () => {
    await page.goto('/history');
    await page.getByRole('main').getByRole('link', { name: MAIN_SITE }).click();
    await expect(page.getByRole('heading', { level: 2 })).toContainText([
      'Accepted (active)',
      'Discharged',
      'Declined',
      'Expired',
    ]);
    await page.getByRole('textbox', { name: 'Search Guest First Name...' }).pressSequentially('zéphyr', SLOWLY);
    await expect(page.getByRole('row').filter({ hasText: 'Zephyr' })).toHaveCount(2);
    await expect(page.getByRole('table', { name: 'Declined' }).getByRole('row').last()).toContainText('Zephyra');
    expect(page.url(), 'a name that is searched for stays out of the address').not.toContain('ephyr');
  });

  const panel = page.getByRole('dialog', { name: `Guest ${placed.code}` });
  await test.step('reassign from the panel', async () => {
    await page.getByRole('button', { name: placed.displayName }).click();
    await expect(panel.getByText(placed.email ?? '')).toBeVisible();
    await panel.getByRole('button', { name: 'Reassign' }).click();
    await panel.getByRole('button', { name: `${second.bed.name}, ${second.house}` }).click();
    await expect(page.getByRole('status').filter({ hasText: /Zephyrine.* is now in/ })).toBeVisible();
    await expect(panel.getByText(`${second.house} / ${second.bed.name}`)).toBeVisible();
  });

  await test.step('discharge with feedback', async () => {
    await panel.getByRole('textbox', { name: 'Feedback' }).pressSequentially('Moved in with family.', SLOWLY);
    await panel.getByRole('button', { name: 'Discharge' }).click();
    const question = page.getByRole('dialog', { name: /^Discharge Zephyrine/ });
    await expect(question).toContainText('Feedback: Moved in with family.');
    await question.getByRole('button', { name: 'Discharge' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const row = page.getByRole('table', { name: 'Discharged' }).getByRole('row').filter({ hasText: placed.code });
    await expect(row).toContainText('Moved in with family.');
    await row.getByRole('button', { name: placed.displayName }).click();
    await expect(panel.getByText('Moved in with family.')).toBeVisible();
    await expect(panel.getByRole('button')).toHaveCount(1);
  });

  await test.step('staff see who was here and no more', async () => {
    const other = await (await openContext('staff')).newPage();
    await other.goto(`/history/${site.id}`);
    await other.getByRole('textbox', { name: 'Search Guest First Name...' }).pressSequentially('Zeph', SLOWLY);
    await other.getByRole('button', { name: placed.displayName }).click();
    const details = other.getByRole('dialog', { name: `Guest ${placed.code}` });
    await expect(details.getByText('Moved in with family.')).toBeVisible();
    await expect(details.getByText(/Email|Phone/)).toHaveCount(0);
    await other.keyboard.press('Escape');
    await expect(details).toHaveCount(0);
    await other.getByRole('button', { name: 'Clear the search' }).click();
    const here = other.getByRole('table', { name: 'Accepted (active)' });
    await here.getByRole('row').nth(1).getByRole('button').click();
    await expect(other.getByRole('dialog')).toBeVisible();
    await expect(other.getByRole('dialog').getByRole('textbox')).toHaveCount(0);
    await expect(other.getByRole('dialog').getByRole('button')).toHaveCount(1);
  });

  await test.step('an admin undoes the discharge by keyboard', async () => {
    const other = await (await openContext('admin')).newPage();
    await other.goto(`/history/${site.id}`);
    await other.getByRole('textbox', { name: 'Search Guest First Name...' }).pressSequentially('Zephyrine', SLOWLY);
    await other.getByRole('button', { name: placed.displayName }).press('Enter');
    const details = other.getByRole('dialog', { name: `Guest ${placed.code}` });
    await details.getByRole('button', { name: 'Undo discharge' }).focus();
    await pressEnter(other);
    const place = `${second.house} / ${second.bed.name}`;
    const told = other.getByRole('status').filter({ hasText: 'is back in' });
    await expect(told).toContainText('Zephyrine');
    await expect(told).toContainText(`is back in ${place}.`);
    await expect(details.getByText('Accepted', { exact: true }).first()).toBeVisible();
    await details.getByRole('link', { name: "Open this guest's page" }).click();
    await expect(other.getByText(`Discharge undone. Back in ${place}`)).toBeVisible();
    await expect(other.getByText('Feedback: Moved in with family.')).toBeVisible();
  });
});
