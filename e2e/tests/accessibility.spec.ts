import type { Page } from '@playwright/test';
import type { Api } from '../lib/api.ts';
import { expectNoViolations } from '../lib/axe.ts';
import { findWorld, GLOBAL_SCREENS, OWNER_SCREENS, PUBLIC_SCREENS, SCREENS, show } from '../lib/screens.ts';
import { expect, test } from '../lib/test.ts';

// The longest file of all: its tests go to whichever worker is free.
test.describe.configure({ mode: 'parallel' });

const WINDOWS = [
  { name: '390', options: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  { name: '1360', options: { viewport: { width: 1360, height: 900 } } },
] as const;

const BY_ACCOUNT = [
  [null, PUBLIC_SCREENS],
  ['admin', SCREENS],
  ['owner', OWNER_SCREENS],
  ['global', GLOBAL_SCREENS],
] as const;

const SCHEMES = ['light', 'dark'] as const;

const softly = expect.configure({ soft: true });

for (const language of ['en', 'es'] as const) {
  for (const { name, options } of WINDOWS) {
    test(`axe finds nothing on any screen, light and dark: ${language}, ${name} wide`, async ({
      openContext,
      apiAs,
    }) => {
      // Some eighty screens, each in two looks: six minutes on two cores, and nobody knows how slow the next machine is.
      test.setTimeout(1_800_000);
      const world = await findWorld(await apiAs('admin'));
      for (const [account, screens] of BY_ACCOUNT) {
        const context = await openContext(account, { ...options, colorScheme: 'light' });
        await context.addInitScript((code) => {
          // about:blank has no storage.
          if (location.origin !== 'null') localStorage.setItem('berth.language', code);
        }, language);
        const page = await context.newPage();
        for (const screen of screens) {
          await test.step(screen.name, async () => {
            await page.emulateMedia({ colorScheme: 'light' });
            await show(page, screen, world);
            for (const scheme of SCHEMES)
              await examine(page, screen.name, `${language}, ${scheme}, ${name} wide`, scheme);
          });
        }
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
        await context.close();
        // The account has taken the language of the page over; the tests after this one read English.
        if (account) await readEnglish(await apiAs(account));
      }
    });
  }
}

async function readEnglish(api: Api): Promise<void> {
  expect((await api.put('/api/Users/language', { language: 'en' })).status()).toBe(204);
}

/** A screen as it now stands, in one of the two looks; what is open on it stays open. */
async function examine(page: Page, screen: string, look: string, scheme: (typeof SCHEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
  await expectNoViolations(page, `${screen} (${look})`);
  await expectNoSidewaysScroll(page, `${screen} (${look})`);
  await keepPicture(page, `${look} ${screen}`);
}

/** The page itself never scrolls sideways (WCAG 1.4.10). */
async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const findExcess = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await softly.poll(findExcess, { message: `pixels that ${name} is too wide` }).toBeLessThanOrEqual(0);
}

/** For people who want to look at every screen: BERTH_SCREENSHOTS=folder make e2e ARGS=accessibility */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.BERTH_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png` });
}
