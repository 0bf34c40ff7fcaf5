import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** No violation of WCAG 2.2 A and AA on the page as it now stands. Our CSP stops script tags, so axe is evaluated. */
export async function expectNoViolations(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  const found = await page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const results = await axe.run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
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
  expect.soft(found, `axe on ${name}`).toEqual([]);
}
