import { type CDPSession, expect, type Page } from '@playwright/test';
import { ALL_RULES, COLOR_RULES, findViolations, type Part } from './axe.ts';
import { type Screen, show, type World } from './screens/screen.ts';
import { smallTargets } from './targets.ts';

export type Language = 'en' | 'es';
type Scheme = 'light' | 'dark';
type Width = 390 | 1360;

/** How a screen is looked at. */
export interface Look {
  readonly language: Language;
  readonly scheme: Scheme;
  readonly width: Width;
}

/**
 * Each pair of values of two dimensions meets in one of four looks, so that a flaw that needs one or two of them
 * (Spanish, dark, narrow) is seen. The looks of one language follow each other on the same screen without loading it again.
 */
const FOUR_LOOKS: readonly Look[] = [
  { language: 'en', scheme: 'light', width: 390 },
  { language: 'en', scheme: 'dark', width: 1360 },
  { language: 'es', scheme: 'light', width: 1360 },
  { language: 'es', scheme: 'dark', width: 390 },
];

const ALL_LOOKS: readonly Look[] = (['en', 'es'] as const).flatMap((language) =>
  ([390, 1360] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => ({ language, scheme, width })),
  ),
);

/** All eight looks, each at the whole page with every rule: `make e2e ARGS=--full`. */
export const FULL = process.env.BERTH_AXE === 'full';

export function looksOf(language: Language): readonly Look[] {
  return (FULL ? ALL_LOOKS : FOUR_LOOKS).filter((look) => look.language === language);
}

/**
 * What axe finds on the screens of one account in one language, and how far a page scrolls sideways. The frame (header,
 * sidebar) is examined on the first screen alone, with a dialog or menu open nothing but that. Dark looks after a light one
 * examine colors alone.
 */
export async function examine(
  page: Page,
  screens: readonly Screen[],
  world: World,
  language: Language,
  {
    plant,
    judge,
    picture,
  }: {
    /** Runs in the page after it was opened; the tests plant flaws with it. */
    readonly plant?: () => void;
    /** Finds what else is wrong with the page as it now stands. */
    readonly judge?: () => Promise<string[]>;
    readonly picture?: (name: string) => Promise<void>;
  } = {},
): Promise<string[]> {
  const window = await Window.of(page);
  const found: string[] = [];
  for (const [index, screen] of screens.entries()) {
    let isShown = false;
    // To and fro: a screen begins with the look of the screen before it, since changing the window takes a second.
    const looks = index % 2 === 0 ? looksOf(language) : looksOf(language).toReversed();
    for (const look of looks) {
      const name = `${screen.name} (${look.language}, ${look.scheme}, ${look.width} wide)`;
      const open = await overlays(page);
      await window.take(look);
      // The first look of a screen loads it; a dialog or menu that another width closes is opened again.
      if (!isShown || (await overlays(page)) !== open) {
        await show(page, screen, world);
        if (plant) await page.evaluate(plant);
        isShown = true;
      }
      for (const fault of (await judge?.()) ?? []) found.push(`${name}: ${fault}`);
      const parts: readonly Part[] = FULL ? ['page'] : index === 0 ? ['content', 'frame'] : ['content'];
      const rules = look.scheme === 'dark' && !FULL ? COLOR_RULES : ALL_RULES;
      for (const part of parts)
        for (const violation of await findViolations(page, rules, part)) found.push(`${name}: ${violation}`);
      const faults = await findPageFaults(page, language);
      // Neither language nor scheme changes how large controls are.
      if (look.width === 390 && look.scheme === 'light' && language === 'en')
        faults.push(...(await smallTargets(page)));
      found.push(...faults.map((fault) => `${name}: ${fault}`));
      await picture?.(name);
    }
  }
  return found;
}

async function overlays(page: Page): Promise<number> {
  return page.locator('[role="dialog"]:visible, [role="menu"]:visible').count();
}

/** What every page owes, whichever part of it axe examines: a title, its language, no sideways scrolling (WCAG 1.4.10). */
async function findPageFaults(page: Page, language: Language): Promise<string[]> {
  const measure = () =>
    page.evaluate(() => ({
      title: document.title,
      language: document.documentElement.lang,
      excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }));
  let now = await measure();
  // A table may take a moment to fit a new width.
  if (now.excess > 0) {
    await expect
      .poll(async () => (await measure()).excess, { timeout: 2000 })
      .toBeLessThanOrEqual(0)
      .catch(() => {});
    now = await measure();
  }
  return [
    ...(now.title.trim() === '' ? ['the page has no title'] : []),
    ...(now.language === language ? [] : [`the page says its language is ${now.language}`]),
    ...(now.excess > 0 ? [`the page is ${now.excess} pixels too wide`] : []),
  ];
}

/** The browser's window, resized and recolored without loading the page again. */
class Window {
  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async of(page: Page): Promise<Window> {
    return new Window(page, await page.context().newCDPSession(page));
  }

  async take({ scheme, width }: Look): Promise<void> {
    await this.page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    // Narrow windows are touched: `pointer: coarse` enlarges targets.
    await this.session.send('Emulation.setTouchEmulationEnabled', { enabled: width === 390 });
    await this.page.emulateMedia({ colorScheme: scheme });
    const attribute = 'data-mantine-color-scheme';
    if (await this.page.locator('html').getAttribute(attribute))
      await this.page.locator(`html[${attribute}=${scheme}]`).waitFor();
  }
}
