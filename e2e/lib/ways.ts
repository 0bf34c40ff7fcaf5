import type { BrowserContextOptions, Locator } from '@playwright/test';
import { checkByKeys, pressByKeys, selectByKeys, tabTo } from './keys.ts';
import { click, type Press, tap } from './sign-in.ts';

/** How a person uses the controls of a screen. */
export interface Way {
  /** Presses a button or a link. */
  readonly press: Press;
  readonly type: (field: Locator, text: string) => Promise<void>;
  /** Checks a radio button or a checkbox. */
  readonly check: (choice: Locator) => Promise<void>;
  /** Chooses from a closed list, by the number of the option. */
  readonly select: (list: Locator, index: number) => Promise<void>;
}

/** For tests that are about something else than how a form is filled in. */
export const AT_ONCE: Way = {
  press: click,
  type: (field, text) => field.fill(text),
  check: (choice) => choice.check(),
  select: async (list, index) => void (await list.selectOption({ index })),
};

export const MOUSE: Way = {
  ...AT_ONCE,
  type: async (field, text) => {
    await field.click();
    await field.pressSequentially(text);
  },
};

export const TOUCH: Way = {
  ...AT_ONCE,
  press: tap,
  type: async (field, text) => {
    await field.tap();
    await field.pressSequentially(text);
  },
  check: tap,
};

/** Keys alone: nothing is clicked, and no script moves the focus. */
export const KEYBOARD: Way = {
  press: pressByKeys,
  type: async (field, text) => {
    await tabTo(field);
    await field.page().keyboard.type(text);
  },
  check: checkByKeys,
  select: selectByKeys,
};

/** A phone of 390 pixels. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
