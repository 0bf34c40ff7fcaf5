import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** After these milliseconds axe looks again at a page that it found something on. */
const SECOND_LOOKS = [100, 400, 1500];

/**
 * No violation of WCAG 2.2 A and AA on the page as it now stands. What axe caught while it was being drawn (a colour
 * between two looks, a text in the font of the first moment) is gone at the second look; what stays is a violation.
 */
export async function expectNoViolations(page: Page, name: string): Promise<void> {
  let found = await findViolations(page);
  for (const pause of SECOND_LOOKS) {
    if (found.length === 0) break;
    await page.waitForTimeout(pause);
    found = await findViolations(page);
  }
  expect.soft(found, `axe on ${name}`).toEqual([]);
}

/** Waits until what is drawn stays: the fonts are there, no change of colour or size is under way. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // A change of looks begins in the frames after it was asked for.
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
}

/** Our CSP stops script tags, so axe is evaluated. */
async function findViolations(page: Page): Promise<string[]> {
  await settled(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return page.evaluate(async (tags) => {
    // What is below the window and skipped (content-visibility) keeps the inherited colours of the last look until it is
    // scrolled to, and Chromium tells axe those: all is drawn while axe looks.
    const drawn = new CSSStyleSheet();
    drawn.replaceSync('* { content-visibility: visible !important; }');
    document.adoptedStyleSheets.push(drawn);
    await new Promise(requestAnimationFrame);
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const results = await axe
      .run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] })
      .finally(() => document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(drawn), 1));
    // What lies below an open dialog cannot be pressed at all, so that how much of it is to be seen is not its size.
    const dialog = document.querySelector('[aria-modal="true"]');
    const isBelow = (selector: string) =>
      dialog !== null && !document.querySelector(selector)?.closest('[aria-modal="true"]');
    return results.violations.flatMap((violation) =>
      violation.nodes
        .filter((node) => violation.id !== 'target-size' || !isBelow(node.target.join(' ')))
        .map((node) => `${violation.id}: ${node.target.join(' ')}\n    ${node.failureSummary ?? ''}`),
    );
  }, TAGS);
}
