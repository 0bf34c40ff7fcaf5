import i18next from 'i18next';
import { afterAll, describe, expect, it } from 'vitest';
import { changeLanguage, loadTexts, type Namespace } from './i18n';

const files = import.meta.glob<object>('./locales/*/*.json', { eager: true, import: 'default' });

/** Every text of a file under its key. */
function textsOf(part: unknown, key = ''): [key: string, text: string][] {
  if (typeof part === 'string') return [[key, part]];
  return Object.entries(part as object).flatMap(([name, inner]) => textsOf(inner, key ? `${key}.${name}` : name));
}

/** What the text says when everything that it names is a guest. */
function sayOfGuests(name: Namespace, key: string, text: string): string {
  const guests = Object.fromEntries([...text.matchAll(/\{\{(\w+)/g)].map(([, value]) => [value, 'Anna K.']));
  const say = i18next.getFixedT(null, name) as unknown as (key: string, values: object) => string;
  return say(key, guests);
}

afterAll(() => changeLanguage('en'));

describe.each(['en', 'es'] as const)('in %s', (language) => {
  it('no sentence has two full stops where the short name of a guest ends it', async () => {
    await changeLanguage(language);
    const said: string[] = [];
    for (const [file, texts] of Object.entries(files)) {
      const [, of, name] = /locales\/(..)\/(.*)\.json$/.exec(file) ?? [];
      if (of !== language) continue;
      await loadTexts(name as Namespace);
      for (const [key, text] of textsOf(texts)) {
        if (/\}\}\./.test(text)) said.push(sayOfGuests(name as Namespace, key, text));
      }
    }
    expect(said.filter((text) => text.includes('Anna K.')).length).toBeGreaterThan(10);
    expect(said.filter((text) => /(?<!\.)\.\.(?!\.)/.test(text))).toEqual([]);
  });

  it('an ellipsis stays', async () => {
    await changeLanguage(language);
    expect(i18next.t('loading', { ns: 'common' })).toMatch(/^\w+\.\.\.$/);
  });
});
