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

for (const language of ['en', 'es'] as const) {
  for (const [account, screens, whose = account ?? 'public'] of BY_ACCOUNT) {
    looking(`axe finds nothing on any screen: ${whose}, ${language}`, async ({ openPage, world }) => {
      // About a second a look on two idle cores; nobody knows how slow the next machine is.
      test.setTimeout(1_200_000);
      const page = await openPage(account, language);
      const picture = (name: string) => keepPicture(page, name);
      expect(await examine(page, screens, world, language, { picture })).toEqual([]);
    });
  }
}

/** Flaws that one dimension alone shows. Each must be found, or the run above looks at too little. */
const PLANTED = [
  {
    name: 'a control without a name in Spanish',
    screen: 'sites',
    language: 'es',
    found: 'button-name: .planted',
    plant: () => {
      if (document.documentElement.lang === 'es')
        document.querySelector('main')?.insertAdjacentHTML('beforeend', '<button class="planted"></button>');
    },
  },
  {
    name: 'too little contrast in the dark',
    screen: 'sites',
    language: 'en',
    found: 'color-contrast: p',
    plant: () => {
      document.querySelector('main')?.insertAdjacentHTML('beforeend', '<p class="planted">Planted text</p>');
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('@media (prefers-color-scheme: dark) { .planted { color: #333; background: #222; } }');
      document.adoptedStyleSheets.push(sheet);
    },
  },
  {
    name: 'targets that are too small on a phone',
    screen: 'sites',
    language: 'en',
    found: 'target-size: .planted',
    plant: () => {
      document
        .querySelector('main')
        ?.insertAdjacentHTML('beforeend', '<div><button class="planted">a</button><button>b</button></div>');
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        'div:has(> .planted) > button { inline-size: 60px; block-size: 60px; }' +
          '@media (max-width: 400px) { div:has(> .planted) > button {' +
          ' inline-size: 10px; block-size: 10px; min-block-size: 0; padding: 0; border: 0; font-size: 8px; } }',
      );
      document.adoptedStyleSheets.push(sheet);
    },
  },
  {
    name: 'a picture without a text in a dialog',
    screen: 'decline',
    language: 'en',
    found: 'image-alt: img',
    plant: () =>
      document
        .querySelector('[role=dialog]')
        ?.insertAdjacentHTML('beforeend', '<img class="planted" src="/favicon.svg">'),
  },
  {
    name: 'a control without a name in the frame',
    screen: 'organizations',
    language: 'en',
    found: 'button-name: .planted',
    plant: () => document.querySelector('header')?.insertAdjacentHTML('beforeend', '<button class="planted"></button>'),
  },
] as const;

for (const { name, screen: wanted, language, found, plant } of PLANTED) {
  looking(`the looks of axe find ${name}`, async ({ openPage, world }) => {
    const page = await openPage('admin', language);
    const screens = SCREENS.filter((screen) => screen.name === wanted);
    const violations = await examine(page, screens, world, language, { plant });
    expect(violations.join('\n')).toContain(found);
  });
}
