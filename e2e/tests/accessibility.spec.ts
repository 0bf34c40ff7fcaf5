import type { Page } from '@playwright/test';
import type { AccountName } from '../lib/accounts.ts';
import type { Api } from '../lib/api.ts';
import { examine, type Language } from '../lib/looks.ts';
import { keepPicture } from '../lib/pictures.ts';
import { PAYING_ADMIN_SCREENS, PAYING_OWNER_SCREENS } from '../lib/screens/billing.ts';
import { GLOBAL_SCREENS } from '../lib/screens/global.ts';
import { OWNER_SCREENS } from '../lib/screens/owner.ts';
import { FIND_SCREENS, PUBLIC_SCREENS } from '../lib/screens/public.ts';
import { findWorld, type Screen, type World } from '../lib/screens/screen.ts';
import { SCREENS } from '../lib/screens/site-staff.ts';
import { spanishWords, TypedTexts, untranslatedTexts } from '../lib/spanish.ts';
import { expect, test } from '../lib/test.ts';

// The longest file of all: its tests go to whichever worker is free.
test.describe.configure({ mode: 'parallel' });

const BY_ACCOUNT: readonly (readonly [AccountName | null, readonly Screen[], string?])[] = [
  [null, PUBLIC_SCREENS],
  [null, FIND_SCREENS, 'find'],
  ['admin', SCREENS],
  ['owner', OWNER_SCREENS],
  ['payingOwner', PAYING_OWNER_SCREENS],
  ['payingAdmin', PAYING_ADMIN_SCREENS],
  ['global', GLOBAL_SCREENS],
];

type OpenPage = (account: AccountName | null, language: Language) => Promise<Page>;

const looking = test.extend<{ openPage: OpenPage; world: World }>({
  openPage: async ({ openContext, apiAs }, use) => {
    const signedIn = new Set<AccountName>();
    await use(async (account, language) => {
      const context = await openContext(account);
      await context.addInitScript((code) => {
        // about:blank has no storage.
        if (location.origin !== 'null') localStorage.setItem('berth.language', code);
      }, language);
      if (account) signedIn.add(account);
      return context.newPage();
    });
    // The accounts have taken the language of the page; the tests after this one read English.
    for (const account of signedIn) await readEnglish(await apiAs(account));
  },
  world: async ({ apiAs }, use) => use(await findWorld(await apiAs('admin'))),
});

async function readEnglish(api: Api): Promise<void> {
  expect((await api.put('/api/Users/language', { language: 'en' })).status()).toBe(204);
}

const SPANISH = spanishWords();

/** Finds English on Spanish screens. */
function englishFinder(page: Page, language: Language): (() => Promise<string[]>) | undefined {
  if (language === 'en') return undefined;
  const typed = new TypedTexts(page);
  return async () => (await untranslatedTexts(page, SPANISH, typed)).map((text) => `not Spanish: ${text}`);
}

for (const language of ['en', 'es'] as const) {
  const also = language === 'es' ? ', nor anybody English' : '';
  for (const [account, screens, whose = account ?? 'public'] of BY_ACCOUNT) {
    looking(`axe finds nothing on any screen: ${whose}, ${language}${also}`, async ({ openPage, world }) => {
      // About a second a look on two idle cores; nobody knows how slow the next machine is.
      test.setTimeout(1_200_000);
      const page = await openPage(account, language);
      const judge = englishFinder(page, language);
      const picture = (name: string) => keepPicture(page, name);
      expect(await examine(page, screens, world, language, { judge, picture })).toEqual([]);
    });
  }
}

interface Flaw {
  readonly name: string;
  /** The screen and the look that must show it, and what is said of it. */
  readonly found: string;
}

/** Flaws that one dimension alone shows. Each must be found there, or the run above looks at too little. */
const PLANTED: Readonly<Record<Language, { screens: readonly string[]; plant: () => void; flaws: readonly Flaw[] }>> = {
  en: {
    screens: ['organizations', 'decline'],
    plant: () => {
      const planted = [
        ['header', '<button id="planted-in-frame"></button>'],
        ['[role=dialog]', '<img id="planted-in-dialog" src="/favicon.svg">'],
        ['main', '<p id="planted-dark">Planted text</p>'],
        ['main', '<div id="planted-row"><button id="planted-small">a</button><button>b</button></div>'],
      ] as const;
      for (const [parent, html] of planted) document.querySelector(parent)?.insertAdjacentHTML('beforeend', html);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '@media (prefers-color-scheme: dark) { #planted-dark { color: #333; background: #222; } }' +
          '#planted-row > button { inline-size: 60px; block-size: 60px; }' +
          '@media (max-width: 400px) { #planted-row > button {' +
          ' inline-size: 10px; block-size: 10px; min-block-size: 0; padding: 0; border: 0; font-size: 8px; } }',
      );
      document.adoptedStyleSheets.push(sheet);
    },
    flaws: [
      {
        name: 'a control without a name in the frame',
        found: 'organizations (en, light, 390 wide): button-name: #planted-in-frame',
      },
      {
        name: 'too little contrast in the dark',
        found: 'organizations (en, dark, 1360 wide): color-contrast: #planted-dark',
      },
      {
        name: 'targets that are too small on a phone',
        found: 'organizations (en, light, 390 wide): target-size: #planted-small',
      },
      {
        name: 'a control that a finger would miss',
        found: 'organizations (en, light, 390 wide): button "a" is 10 x 10 pixels',
      },
      {
        name: 'a picture without a text in a dialog',
        found: 'decline (en, light, 390 wide): image-alt: #planted-in-dialog',
      },
    ],
  },
  es: {
    screens: ['sites'],
    plant: () => {
      const html = '<button id="planted"></button><p>Choose another bed.</p>';
      if (document.documentElement.lang === 'es') document.querySelector('main')?.insertAdjacentHTML('beforeend', html);
    },
    flaws: [
      { name: 'a control without a name in Spanish', found: 'sites (es, light, 1360 wide): button-name: #planted' },
      { name: 'English in Spanish', found: 'sites (es, light, 1360 wide): not Spanish: Choose another bed.' },
    ],
  },
};

for (const [language, { screens: wanted, plant, flaws }] of Object.entries(PLANTED) as [
  Language,
  typeof PLANTED.en,
][]) {
  looking(`the looks find ${flaws.map(({ name }) => name).join(', ')}`, async ({ openPage, world }) => {
    const page = await openPage('admin', language);
    const screens = SCREENS.filter(({ name }) => wanted.includes(name));
    const faults = await examine(page, screens, world, language, { plant, judge: englishFinder(page, language) });
    const found = faults.map((fault) => fault.split('\n')[0]);
    for (const flaw of flaws) expect.soft(found, flaw.name).toContain(flaw.found);
  });
}
