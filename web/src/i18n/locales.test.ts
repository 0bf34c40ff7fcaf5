import { expect, it } from 'vitest';

const files = import.meta.glob<object>('./locales/en/*.json', { eager: true, import: 'default' });

/** Every text of a file under its key. */
function textsOf(part: unknown, key: string): [key: string, text: string][] {
  if (typeof part === 'string') return [[key, part]];
  return Object.entries(part as object).flatMap(([name, inner]) => textsOf(inner, `${key} ${name}`));
}

it('one sentence says everywhere that something could not be loaded', () => {
  const texts = Object.entries(files).flatMap(([file, part]) => textsOf(part, file));
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter(([, text]) => /^(failed to load|error)[.!]?$/i.test(text))).toEqual([
    // The heading of /error, where nothing is loaded.
    ['./locales/en/common.json error title', 'Error'],
    ['./locales/en/common.json error failedToLoad', 'Failed to load'],
  ]);
});
