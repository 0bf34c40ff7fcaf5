/**
 * Compares the texts of every language with the English ones: missing or extra keys, placeholders, plural forms
 * (those Intl.PluralRules knows for the language). Also compares src/i18n/resources.ts, the types of the texts, with the
 * English files; `--write` writes it. Exits with 1 and a list when something differs.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../src/i18n/locales/', import.meta.url).pathname;
const PLURAL = /_(zero|one|two|few|many|other)$/;
const problems = [];

function flatten(texts, prefix = '') {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? flatten(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, String(value)]],
  );
}

/** Key without its plural ending → { forms, texts }. */
function group(language, namespace) {
  const file = join(root, language, `${namespace}.json`);
  const groups = new Map();
  for (const [key, text] of flatten(JSON.parse(readFileSync(file, 'utf8')))) {
    const form = PLURAL.exec(key)?.[1];
    const base = form ? key.replace(PLURAL, '') : key;
    const entry = groups.get(base) ?? { forms: new Set(), texts: [] };
    if (form) entry.forms.add(form);
    if (text.trim() === '') problems.push(`${language}/${namespace}: "${key}" is empty`);
    entry.texts.push(text);
    groups.set(base, entry);
  }
  return groups;
}

function placeholders(entry) {
  const names = entry.texts.flatMap((text) => [...text.matchAll(/{{\s*(\w+)[^}]*}}/g)].map((match) => match[1]));
  return [...new Set(names)].sort().join(', ');
}

function tags(entry) {
  const names = entry.texts.flatMap((text) => [...text.matchAll(/<(\/?\w+)>/g)].map((match) => match[1]));
  return [...new Set(names)].sort().join(', ');
}

const english = readdirSync(join(root, 'en')).map((file) => file.replace(/\.json$/, ''));
for (const language of readdirSync(root)) {
  const namespaces = readdirSync(join(root, language)).map((file) => file.replace(/\.json$/, ''));
  for (const namespace of new Set([...english, ...namespaces])) {
    if (!namespaces.includes(namespace)) {
      problems.push(`${language}: file ${namespace}.json is missing`);
      continue;
    }
    if (!english.includes(namespace)) {
      problems.push(`${language}: file ${namespace}.json has no English counterpart`);
      continue;
    }
    const wanted = group('en', namespace);
    const found = group(language, namespace);
    const required = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, entry] of wanted) {
      const other = found.get(key);
      if (!other) {
        problems.push(`${language}/${namespace}: "${key}" is missing`);
        continue;
      }
      if (placeholders(entry) !== placeholders(other)) {
        problems.push(`${language}/${namespace}: "${key}" has {${placeholders(other)}}, not {${placeholders(entry)}}`);
      }
      if (tags(entry) !== tags(other)) {
        problems.push(`${language}/${namespace}: "${key}" has tags <${tags(other)}>, not <${tags(entry)}>`);
      }
      if (entry.forms.size > 0) {
        for (const form of required) {
          if (!other.forms.has(form)) problems.push(`${language}/${namespace}: "${key}_${form}" is missing`);
        }
      }
    }
    for (const key of found.keys()) {
      if (!wanted.has(key)) problems.push(`${language}/${namespace}: "${key}" is not in the English texts`);
    }
  }
}

/** The source of src/i18n/resources.ts: one type per English file. */
function resourcesSource(namespaces) {
  const nameOf = (namespace) => namespace.replace(/-(\w)/g, (_dash, letter) => letter.toUpperCase());
  const keyOf = (namespace) => (namespace.includes('-') ? `'${namespace}'` : namespace);
  return [
    '// Generated from locales/en by `npm run locales -- --write`. Do not edit.',
    ...namespaces.map((namespace) => `import type ${nameOf(namespace)} from './locales/en/${namespace}.json';`),
    '',
    '/** The English texts are the type of all texts: an unknown key does not compile. */',
    'export interface Resources {',
    ...namespaces.map((namespace) => `  ${keyOf(namespace)}: typeof ${nameOf(namespace)};`),
    '}',
    '',
  ].join('\n');
}

const resources = new URL('../src/i18n/resources.ts', import.meta.url).pathname;
const source = resourcesSource(english.toSorted());
if (process.argv.includes('--write')) writeFileSync(resources, source);
if (readFileSync(resources, 'utf8') !== source) {
  problems.push('src/i18n/resources.ts does not match locales/en: run `npm run locales -- --write`');
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`Texts agree: ${english.length} namespaces.`);
