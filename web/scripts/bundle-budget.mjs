/**
 * Fails when a route loads more than its budget (guide web, section 15), in KiB after gzip -9: JavaScript of entry and
 * route, CSS of entry and route. Reads Vite's manifest. Also fails when a component of the kit is used whose styles are
 * not in src/app/kit.css, and when a layout changes at a width without a name.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const web = new URL('..', import.meta.url).pathname;
const dist = process.argv[2] ?? join(web, 'dist');
const JS_BUDGET = { login: 202, other: 280, find: 200 };
const CSS_BUDGET = 40;

const readManifest = (name) => JSON.parse(readFileSync(join(dist, '.vite', name), 'utf8'));
const manifest = readManifest('manifest.json');
const sizes = new Map();
const problems = [];

function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1024);
  return sizes.get(file);
}

/** All files that load with a chunk, its static imports included. */
function filesOf(key, found = new Set(), seen = new Set(), chunks = manifest) {
  if (seen.has(key)) return found;
  seen.add(key);
  const chunk = chunks[key];
  found.add(chunk.file);
  for (const css of chunk.css ?? []) found.add(css);
  for (const next of chunk.imports ?? []) filesOf(next, found, seen, chunks);
  return found;
}

/** The route files above a route: `_app/$organizationType/index` has `_app` and perhaps `_app/$organizationType`. */
function parentsOf(route, all) {
  return all.filter((other) => other !== route && route.startsWith(`${other}/`));
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const ROUTE = /^src\/routes\/(.+)\.tsx\?tsr-split=(?:component|loader)/;
const chunks = new Map();
for (const key of Object.keys(manifest)) {
  const route = ROUTE.exec(key)?.[1];
  if (route) chunks.set(route, [...(chunks.get(route) ?? []), key]);
}

const rows = [];
for (const route of [...chunks.keys()].sort()) {
  const loaded = filesOf(entry);
  for (const part of [...parentsOf(route, [...chunks.keys()]), route]) {
    for (const key of chunks.get(part)) filesOf(key, loaded);
  }
  judge(route, loaded, route.endsWith('/login') ? JS_BUDGET.login : JS_BUDGET.other);
}

// The public page is a build of its own.
const publicPage = readManifest('find.json');
judge('find', filesOf('find.html', new Set(), new Set(), publicPage), JS_BUDGET.find);

/** Adds a row, and a problem for each budget that is exceeded. */
function judge(route, loaded, budget) {
  const total = (ending) =>
    [...loaded].filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + size(file), 0);
  const js = total('.js');
  const css = total('.css');
  rows.push(
    `${route.padEnd(52)} js ${js.toFixed(1).padStart(6)} / ${budget}   css ${css.toFixed(1).padStart(5)} / ${CSS_BUDGET}`,
  );
  if (js > budget) problems.push(`${route}: JavaScript ${js.toFixed(1)} KiB is over ${budget} KiB`);
  if (css > CSS_BUDGET) problems.push(`${route}: CSS ${css.toFixed(1)} KiB is over ${CSS_BUDGET} KiB`);
}
console.log(rows.join('\n'));
if (rows.length === 0) problems.push('No route chunks found: build first, and keep autoCodeSplitting on');

/** Every kit component that the sources import and that has styles of its own. */
const styles = join(web, 'node_modules/@mantine/core/styles');
const kit = readFileSync(join(web, 'src/app/kit.css'), 'utf8');
for (const file of readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(file)) continue;
  const source = readFileSync(join(web, 'src', file), 'utf8');
  for (const match of source.matchAll(/import\s*{([^}]*)}\s*from '@mantine\/core'/g)) {
    for (const name of match[1].split(',').map((part) => part.trim())) {
      if (existsSync(join(styles, `${name}.css`)) && !kit.includes(`/${name}.css`)) {
        problems.push(`src/${file}: ${name} is used, but src/app/kit.css does not import its styles`);
      }
    }
  }
}

for (const file of readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (!/\.(css|tsx?)$/.test(file) || /\.test\.tsx?$/.test(file)) continue;
  if (/\((min|max)-width: ?\d/.test(readFileSync(join(web, 'src', file), 'utf8'))) {
    problems.push(`src/${file}: a width without a name; those of src/lib/breakpoints.json have one`);
  }
}

if (problems.length > 0) {
  console.error(`\n${problems.join('\n')}`);
  process.exit(1);
}
