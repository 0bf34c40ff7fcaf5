import i18next from 'i18next';
import { loadTexts } from '@/i18n/i18n';
import type { Resources } from '@/i18n/resources';

/** A sentence of the server: English, with its stable code and the values it holds. */
interface Sentence {
  message: string;
  code?: string;
  values?: Record<string, string>;
}

/** Sentences that were shown as they came, for want of words in the reader's language. */
const untranslated = new Set<string>();

const isEnglish = () => i18next.resolvedLanguage === undefined || i18next.resolvedLanguage === 'en';

/** Loads the words of refusals. English needs none: it is what the server speaks. */
export async function loadProblemWords(): Promise<void> {
  if (isEnglish()) return;
  // Without them the English sentence is shown, which is better than none.
  await loadTexts('server').catch(() => undefined);
}

function hasWords(code: string | undefined): code is keyof Resources['server'] {
  return code !== undefined && i18next.exists(code, { ns: 'server' });
}

/** The sentence in the reader's language; as it came where its code has no words. Await `loadProblemWords` before. */
export function wordsOf({ message, code, values }: Sentence): string {
  if (isEnglish()) return message;
  if (hasWords(code)) return i18next.t(code, { ns: 'server', ...values });
  untranslated.add(message);
  return message;
}

/** The language of a sentence where it is not the reader's: for the `lang` of the element that shows it. */
export function foreignLanguage(sentence: unknown): 'en' | undefined {
  return typeof sentence === 'string' && untranslated.has(sentence) ? 'en' : undefined;
}
