import type { BrowserContext, Page } from '@playwright/test';
import { type AccountName, OTHER_SITE } from '../lib/accounts.ts';
import { expect, test } from '../lib/test.ts';

test('a new device starts with the tables and filters chosen last, and each device keeps its own choices', async ({
  openContext,
  apiAs,
}) => {
  const site = await (await apiAs('otherStaff')).siteCalled(OTHER_SITE);
  const address = `/history/${site.id}`;

  const desk = await openContext('otherStaff');
  await test.step('at the desk: 25 rows, no genders, one filter', async () => {
    const page = await open(desk, address);
    await chooseRows(page, '25');
    await page.getByRole('button', { name: 'Columns' }).first().click();
    await stored(page, () => page.getByRole('menuitemcheckbox', { name: 'Gender' }).click());
    await page.keyboard.press('Escape');
    await expectLook(page, '25');
    await page.goto('/today?payer=Insurance');
    await stored(page, () => page.getByRole('button', { name: 'Keep this filter' }).click());
  });

  const phone = await openContext('otherStaff');
  await test.step('on another device: the same, from the start; then 10 rows and no filter', async () => {
    const page = await open(phone, address);
    await expectLook(page, '25');
    await chooseRows(page, '10');
    await page.goto('/today');
    await stored(page, () => page.getByRole('button', { name: 'Remove the filter Health insurance' }).click());
    await expect(page.getByRole('list', { name: 'Kept filters' })).toHaveCount(0);
  });

  await test.step('the desk keeps its own', async () => {
    const page = await open(desk, address);
    await expectLook(page, '25');
    await page.goto('/today');
    await expect(page.getByRole('link', { name: 'Health insurance', exact: true })).toBeVisible();
  });

  await test.step('a third device starts with the last choice', async () => {
    const page = await open(await openContext('otherStaff'), address);
    await expectLook(page, '10');
    expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('tableLook')))).toEqual(
      [],
    );
  });
});

test('a setting is there on each device of its user, and nothing of it stays in the browser', async ({
  openContext,
}) => {
  const label = 'Move to a vacant bed without asking';
  const openSetting = async (name: AccountName) => {
    const page = await open(await openContext(name), '/user-settings');
    await page.getByRole('button', { name: 'Preferences' }).click();
    return { page, setting: page.getByRole('switch', { name: label }) };
  };
  const { page: desk, setting } = await openSetting('otherStaff');
  await expect(setting).not.toBeChecked();
  // It is on a moment after the click, which check() does not wait for.
  await stored(desk, () => setting.click());
  await expect(setting).toBeChecked();
  expect(
    await desk.evaluate(() => JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage)])),
  ).not.toMatch(/moves/i);
  await expect((await openSetting('otherStaff')).setting).toBeChecked();
  await expect((await openSetting('otherIntake')).setting).not.toBeChecked();
});

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

/** Makes a choice and waits until the server has stored it. */
async function stored(page: Page, choose: () => Promise<unknown>): Promise<void> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/Users/views') && response.ok());
  await choose();
  await answer;
}

const chooseRows = (page: Page, count: string) =>
  stored(page, () => page.getByLabel('Rows per page').first().selectOption(count));

/** Checks the page size, and that the column of genders is hidden. */
async function expectLook(page: Page, rows: string): Promise<void> {
  await expect(page.getByLabel('Rows per page').first()).toHaveValue(rows);
  await expect(page.getByRole('columnheader', { name: 'Gender' })).toHaveCount(0);
}
