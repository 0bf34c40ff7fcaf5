import i18next, { type BackendModule, type PostProcessorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Language, readPreference, writePreference } from '@/lib/preferences';
import type { Resources } from './resources';

/** Every namespace is one file a language; it loads with the route that needs it. */
export type Namespace = keyof Resources;

const LANGUAGES: readonly Language[] = ['en', 'es'];
const files = import.meta.glob<Record<string, unknown>>('./locales/*/*.json', { import: 'default' });

const fileBackend: BackendModule = {
  type: 'backend',
  init() {
    // Nothing to set up: Vite knows the files.
  },
  read(language, namespace, callback) {
    const load = files[`./locales/${language}/${namespace}.json`];
    if (!load) {
      callback(new Error(`No texts for ${language}/${namespace}.`), false);
      return;
    }
    load().then(
      (texts) => callback(null, texts),
      // True: not final. With `maxRetries` at 0 the next `loadTexts` asks again; i18next would keep a final one for ever.
      (error: Error) => callback(error, true),
    );
  },
};

/** A name that ends in a full stop, as the short name of a guest does, ends a sentence without a second one: "Anna K." */
const oneFullStop: PostProcessorModule = {
  type: 'postProcessor',
  name: 'oneFullStop',
  process: (text: string) => text.replace(/(?<!\.)\.\.(?!\.)/g, '.'),
};

/** Starts the texts in the stored language, else the browser's, else English. Await it before the first render. */
export async function startTexts(language: Language = firstLanguage()): Promise<void> {
  await i18next
    .use(fileBackend)
    .use(oneFullStop)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      ns: ['common'],
      defaultNS: 'common',
      load: 'languageOnly',
      maxRetries: 0,
      interpolation: { escapeValue: false },
      postProcess: [oneFullStop.name],
      react: { useSuspense: false },
      returnNull: false,
    });
  document.documentElement.lang = language;
}

/** For route loaders: resolves when the namespaces are there in the present language, rejects when one cannot be loaded. */
export function loadTexts(...namespaces: Namespace[]): Promise<void> {
  return new Promise((resolve, reject) => {
    void i18next.loadNamespaces(namespaces, (errors) => (errors ? reject(errors[0]) : resolve()));
  });
}

/** Switches the whole page to a language and remembers it. */
export async function changeLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  writePreference('language', language);
}

function firstLanguage(): Language {
  const stored = readPreference('language');
  if (stored && LANGUAGES.includes(stored)) return stored;
  return navigator.languages.some((wanted) => wanted.startsWith('en')) || !navigator.language.startsWith('es')
    ? 'en'
    : 'es';
}
