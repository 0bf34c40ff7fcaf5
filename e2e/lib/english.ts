import { readdirSync, readFileSync } from 'node:fs';
import type { Page, Response } from '@playwright/test';

const LOCALES = new URL('../../web/src/i18n/locales/', import.meta.url).pathname;

/** Names that are the same in every language. */
const NAMES = ['Berth', 'Stripe', 'GeoNames', 'CC BY', 'Medicaid', 'MediCal', 'Medi-Cal', 'PDF', 'CSV', 'DELETE', 'English'];

/** Words of dates and times, which come from the browser and not from our texts. */
const OF_DATES =
  'January February March April May June July August September October November December Jan Apr Aug Dec ' +
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun';

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
}

function vocabulary(language: string): Set<string> {
  const files = readdirSync(`${LOCALES}${language}`).filter((file) => file.endsWith('.json'));
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value.replaceAll(/{{[^}]*}}/g, ' '));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const file of files) collect(JSON.parse(readFileSync(`${LOCALES}${language}/${file}`, 'utf8')));
  return new Set(texts.flatMap(wordsOf));
}

/** Words of our English texts that no Spanish text has: where one stands on a Spanish screen, something is not translated. */
export function englishWords(): ReadonlySet<string> {
  const spanish = vocabulary('es');
  const english = [...vocabulary('en'), ...wordsOf(OF_DATES)];
  return new Set(english.filter((word) => !spanish.has(word)));
}

/** Values that people typed in, by the names of their fields; what the server words itself has others. */
const TYPED_IN = new Set(
  (
    'name alias firstName lastName displayName description feedback email login siteName siteAlias organizationName ' +
    'roomName bedName address location contactWeb contactEmail insuranceCompanyName createdByEmail guestName code ' +
    'actorEmail mediCalChoice policyNumber groupNumber label foundation supportPhone contactPhone'
  ).split(' '),
);

/** Lists whose names are the product's own and have words in every language. */
const OWN_LISTS = /services|languages|paymentMethods|screeningPeriods/i;

/** Notes the texts of people in every answer that a page gets, so that they can be told from those of the product. */
export class TypedTexts {
  readonly texts = new Set<string>();

  constructor(page: Page) {
    page.on('response', (response) => void this.#note(response));
  }

  async #note(response: Response): Promise<void> {
    const { pathname } = new URL(response.url());
    if (!/^\/(api|connect)\//.test(pathname) || OWN_LISTS.test(pathname)) return;
    // An answer that the page has gone away from has no body any more.
    const body: unknown = await response.json().catch(() => undefined);
    this.#collect(body);
  }

  #collect(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#collect(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (OWN_LISTS.test(key)) continue;
        if (typeof inner === 'string' && TYPED_IN.has(key)) this.texts.add(inner);
        else this.#collect(inner);
      }
    }
  }

  /** The text without what people typed in. */
  without(text: string): string {
    const typed = [...this.texts, ...NAMES].filter((one) => one.length > 1).toSorted((a, b) => b.length - a.length);
    return typed.reduce((rest, one) => rest.replaceAll(one, ' '), text);
  }
}

/** Every text of the page that a reader meets, by eye or by ear, unless it is marked as being in English. */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>([document.title]);
    const isEnglish = (element: Element | null) => element?.closest('[lang]')?.getAttribute('lang') === 'en';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent && !isEnglish(parent) && !parent.closest('script, style')) found.add(node.textContent ?? '');
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (isEnglish(element)) continue;
      for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'title', 'placeholder']) {
        found.add(element.getAttribute(name) ?? '');
      }
    }
    return [...found].map((text) => text.trim()).filter((text) => text !== '');
  });
}
