import { expect, it } from 'vitest';

const FILES = import.meta.glob<object>('./locales/es/*.json', { eager: true, import: 'default' });

/** All sentences of a part of the texts. */
function textsOf(part: unknown): readonly string[] {
  if (typeof part === 'string') return [part];
  return Object.values(part ?? {}).flatMap(textsOf);
}

it('no Spanish sentence says of a guest by name what only a man or only a woman is', () => {
  const texts = Object.values(FILES).flatMap(textsOf);
  expect(texts.length).toBeGreaterThan(1000);
  const gendered = /(^|[.:;] )\{\{(guest|other|name)\}\} (ha sido|fue|es|está) [a-z]+[dt][ao]\b/u;
  expect(texts.filter((text) => gendered.test(text))).toEqual([]);
});
