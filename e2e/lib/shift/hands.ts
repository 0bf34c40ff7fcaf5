import type { BrowserContextOptions, Page } from '@playwright/test';
import type { Guest } from '../api.ts';
import { checkByKeys, tabTo } from '../keys.ts';
import { expect } from '../test.ts';
import type { Today } from '../today.ts';
import { KEYBOARD, MOUSE, PHONE, TOUCH, type Way } from '../ways.ts';

const SEARCH = 'Find a guest, site or organization';

/** One way to work a whole shift. */
export interface Hands extends Way {
  readonly by: string;
  readonly context: BrowserContextOptions;
  /** Who is put on the waitlist: another person in each shift. */
  readonly waiting: string;
  /** Goes to a part of the navigation. */
  readonly open: (page: Page, part: 'Today' | 'History') => Promise<void>;
  /** Accepts a reservation into the bed that is proposed; returns how the bed is called. */
  readonly accept: (today: Today, guest: Guest) => Promise<string>;
  readonly decline: (today: Today, guest: Guest, feedback?: string) => Promise<void>;
  readonly chooseBed: (today: Today, guest: Guest, bed: string) => Promise<void>;
  /** Presses what takes the newest decision back. */
  readonly undo: (today: Today, guest: Guest) => Promise<void>;
  /** Opens the search, types, and opens the guest that is found. */
  readonly find: (page: Page, guest: Guest, text: string) => Promise<void>;
}

const byMouse: Hands = {
  ...MOUSE,
  ...pointing(MOUSE),
  by: 'mouse',
  context: {},
  waiting: 'Wanda',
  open: (page, part) => MOUSE.press(linkTo(page, part)),
  undo: (today, guest) => MOUSE.press(today.told(guest, '').getByRole('button', { name: 'Undo' })),
};

const byTouch: Hands = {
  ...TOUCH,
  ...pointing(TOUCH),
  by: 'touch on a phone',
  context: PHONE,
  waiting: 'Yara',
  open: async (page, part) => {
    await TOUCH.press(page.getByRole('button', { name: 'Open navigation' }));
    await TOUCH.press(linkTo(page, part));
  },
  // The button in the message is what the mouse presses.
  undo: (today, guest) => TOUCH.press(today.moves.getByRole('button', { name: `Undo for ${guest.displayName}` })),
};

const byKeyboard: Hands = {
  ...KEYBOARD,
  by: 'keyboard alone',
  context: {},
  waiting: 'Xenia',
  open: async (page, part) => {
    if (part !== 'Today') return KEYBOARD.press(linkTo(page, part));
    // What hears the keys comes a moment after the first screen.
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await expect(page).toHaveURL(/\/today$/, { timeout: 1000 });
    }).toPass();
  },
  accept: async (today, guest) => {
    await tabTo(today.accept(guest));
    return today.acceptBy(
      guest,
      () => today.page.keyboard.press('a'),
      () => today.page.keyboard.press('a'),
    );
  },
  decline: async (today, guest, feedback = '') => {
    await tabTo(today.accept(guest));
    await today.page.keyboard.press('d');
    await today.answerDecline(guest, KEYBOARD, feedback);
  },
  chooseBed: (today, guest, bed) => checkByKeys(today.bed(guest, bed)),
  undo: (today) => today.page.keyboard.press('z'),
  find: async (page, guest, text) => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: SEARCH })).toBeFocused();
    await page.keyboard.type(text, { delay: 20 });
    const found = page.getByRole('option').filter({ hasText: guest.displayName });
    await expect(found).toBeVisible();
    for (let step = 0; step < 10 && (await found.getAttribute('aria-selected')) !== 'true'; step += 1)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  },
};

export const HANDS: readonly Hands[] = [byMouse, byKeyboard, byTouch];

/** What is the same for the mouse and the finger. */
function pointing(way: Way): Pick<Hands, 'accept' | 'decline' | 'chooseBed' | 'find'> {
  return {
    accept: (today, guest) =>
      today.acceptBy(
        guest,
        () => way.press(today.accept(guest)),
        () => way.press(today.confirm(guest)),
      ),
    decline: async (today, guest, feedback = '') => {
      await way.press(today.waiting.getByRole('button', { name: `Decline ${guest.displayName}` }));
      await today.answerDecline(guest, way, feedback);
    },
    // The tile is what people press; the radio button in it is for the keyboard.
    chooseBed: (today, guest, bed) => way.press(today.tile(guest, bed)),
    find: async (page, guest, text) => {
      await way.press(page.getByRole('button', { name: SEARCH }));
      await page.getByRole('combobox', { name: SEARCH }).pressSequentially(text, { delay: 20 });
      await way.press(page.getByRole('option').filter({ hasText: guest.displayName }));
    },
  };
}

function linkTo(page: Page, part: string) {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${part}`) });
}
