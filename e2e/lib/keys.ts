import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

/** More than any screen has stops. */
const MOST_STEPS = 200;

/** Presses the Tab key, backwards if that is the way, until this has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page();
  await expectFocus(page);
  const isBefore = await target.evaluate((element) => {
    const position = document.activeElement?.compareDocumentPosition(element) ?? 0;
    return (position & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  });
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(isBefore ? 'Shift+Tab' : 'Tab');
  }
  await expect(target).toBeFocused();
}

/** Without a focus, the next Tab would start at the top of the page again. */
async function expectFocus(page: Page): Promise<void> {
  const isSomewhere = () => page.evaluate(() => document.activeElement !== document.body);
  await expect.poll(isSomewhere, { message: 'something has the focus' }).toBe(true);
}

/**
 * Presses Enter on what has the focus, like a person who has read the dialog that the last Enter opened. A second Enter at
 * once would be taken for the other half of the first one; any key in between makes it a press of its own.
 */
export async function pressEnter(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
}

/** Brings the focus to a button or a link, and presses Enter. */
export async function pressByKeys(target: Locator): Promise<void> {
  await tabTo(target);
  await pressEnter(target.page());
}

/** Checks a checkbox or a radio button. A group of radio buttons is one stop; the arrow keys go through it. */
export async function checkByKeys(choice: Locator): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const key = await choice.evaluate((wanted) => {
      const now = document.activeElement;
      if (now === wanted) return null;
      const isInGroup =
        now instanceof HTMLInputElement &&
        wanted instanceof HTMLInputElement &&
        now.type === 'radio' &&
        now.name === wanted.name;
      return isInGroup ? 'ArrowDown' : 'Tab';
    });
    if (key === null) break;
    await choice.page().keyboard.press(key);
  }
  if (!(await choice.isChecked())) await choice.page().keyboard.press('Space');
  await expect(choice).toBeFocused();
  await expect(choice).toBeChecked();
}

/** Goes so many options down in a closed list. */
export async function selectByKeys(list: Locator, index: number): Promise<void> {
  await tabTo(list);
  for (let step = 0; step < index; step += 1) await list.page().keyboard.press('ArrowDown');
  await expect(list).toHaveJSProperty('selectedIndex', index);
}
