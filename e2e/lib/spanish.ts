import { readdirSync, readFileSync } from 'node:fs';
import type { Page, Response } from '@playwright/test';

const LOCALES = new URL('../../web/src/i18n/locales/', import.meta.url).pathname;

/** Names that are the same in every language, and what the tests themselves put into an address. */
const NAMES =
  'Berth Stripe GeoNames Visa Mastercard Medicaid MediCal Medi-Cal English DELETE admin.berth.example ' +
  'The link is too old. Invitation';

/** What the fields of the card provider say; its stand-in of the tests speaks Spanish, too. */
const OF_THE_CARD_PROVIDER = 'está incompleto, aquí solo sirven los números de prueba';

/** A part of an id may be letters alone, as in `73e1-abed-0ce3`. */
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Words of three letters and more, without regard to case. What holds digits is no word: ids, codes, numbers. */
function words(text: string): string[] {
  const tokens =
    text
      .toLowerCase()
      .replaceAll(ID, ' ')
      .match(/[\p{L}\p{N}]+…?/gu) ?? [];
  return tokens.filter((token) => /^\p{L}{3,}…?$/u.test(token));
}

/** The words that dates and times are made of. */
function dateWords(): string[] {
  const zones = (['long', 'short'] as const).flatMap((timeZoneName) => {
    const zone = new Intl.DateTimeFormat('es-US', { timeZone: 'America/Los_Angeles', timeZoneName });
    return [new Date(2026, 0), new Date(2026, 6)].map((date) => zone.format(date));
  });
  const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 1 + month));
  const styles = ['long', 'short'] as const;
  const dates = months.flatMap((date) =>
    styles.map((style) => date.toLocaleDateString('es', { month: style, weekday: style })),
  );
  return [...dates, ...zones];
}

/** Every word that our Spanish texts are made of. What else stands on a Spanish screen was typed in, or is not translated. */
export function spanishWords(): ReadonlySet<string> {
  const texts: string[] = [NAMES, OF_THE_CARD_PROVIDER, ...dateWords()];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value.replaceAll(/{{[^}]*}}|<[^>]*>/g, ' '));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const file of readdirSync(`${LOCALES}es`)) collect(JSON.parse(readFileSync(`${LOCALES}es/${file}`, 'utf8')));
  return new Set(texts.flatMap(words));
}

/** Fields whose values people typed in; what the product words itself has other names. */
const TYPED_IN = new Set(
  (
    'name alias firstName lastName displayName description feedback email login siteName siteAlias organizationName ' +
    'roomName bedName address location contactWeb contactEmail insuranceCompanyName createdByEmail guestName code ' +
    'given_name family_name first_name last_name actorEmail policyNumber groupNumber label foundation actor organization site object objectName disabledReason reason ' +
    'owners by priorityReason placementReason reasonName'
  ).split(' '),
);

/** Lists whose names are the product's own: they have words in every language. */
const OWN_LISTS = /services|languages|paymentMethods|screeningPeriods/i;

/** Notes the texts of people in every answer that a page gets, so that they can be told from those of the product. */
export class TypedTexts {
  readonly #words = new Set<string>();
  #pending: Promise<void>[] = [];

  constructor(page: Page) {
    page.on('response', (response) => this.#pending.push(this.#note(response)));
  }

  /** Whether somebody typed this word in; `Recove…` is the beginning of one, in a name that is cut. */
  has(word: string): boolean {
    if (!word.endsWith('…')) return this.#words.has(word);
    return [...this.#words].some((typed) => typed.startsWith(word.slice(0, -1)));
  }

  /** Resolves when all answers that have come are noted. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
    this.#pending = [];
  }

  async #note(response: Response): Promise<void> {
    const { pathname } = new URL(response.url());
    if (!/^\/(api|connect)\//.test(pathname) || OWN_LISTS.test(pathname) || pathname === '/api/live') return;
    // An answer that the page has gone away from has no body any more.
    this.#collect(await response.json().catch(() => undefined));
  }

  #collect(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#collect(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (OWN_LISTS.test(key)) continue;
        const typed = TYPED_IN.has(key) ? [inner].flat().filter((text) => typeof text === 'string') : [];
        for (const word of words(typed.join(' '))) this.#words.add(word);
        this.#collect(inner);
      }
    }
  }
}

/** The texts of a Spanish page that hold a word which is neither Spanish nor typed in. */
export async function untranslatedTexts(
  page: Page,
  spanish: ReadonlySet<string>,
  typed: TypedTexts,
): Promise<string[]> {
  // Read before the answers are noted: a text that comes between the two would be of an answer that is not noted yet.
  const texts = await textsOf(page);
  await typed.settled();
  const isForeign = (text: string) =>
    words(text).some((word) => !spanish.has(word.replace('…', '')) && !typed.has(word));
  return texts.filter(isForeign);
}

/** Elements whose texts are not ours to translate, or that nobody reads. */
const NOT_OURS = 'body [lang=en], script, style, noscript, code, [translate=no]';

/** Every text of the page that a reader meets, by eye or by ear, unless it is marked as English. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate((notOurs) => {
    const found = new Set<string>([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest(notOurs)) found.add(node.textContent ?? '');
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest(`${notOurs}, [aria-hidden=true]`)) continue;
      for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'title', 'placeholder']) {
        found.add(element.getAttribute(name) ?? '');
      }
    }
    return [...found].map((text) => text.trim()).filter((text) => text !== '');
  }, NOT_OURS);
}
