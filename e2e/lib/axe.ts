import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 A and AA. */
export const ALL_RULES: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
};

/** What can differ between the light and the dark scheme. */
export const COLOR_RULES: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** The parts of a screen that axe examines. */
export type Part = 'page' | 'content' | 'frame';

/** After these milliseconds axe looks again at a page that it found something on. */
const SECOND_LOOKS = [100, 400, 1500];

/**
 * Violations on a part of the page as it now stands, one line each. `content` is the open dialog or menu, else what the
 * frame surrounds; `frame` is everything around it. A violation that axe catches during a transition (a color between two
 * schemes, a text in the fallback font) is gone at the second look; one that stays counts.
 */
export async function findViolations(page: Page, rules: RunOptions, part: Part): Promise<string[]> {
  let found = await runAxe(page, rules, part);
  for (const pause of SECOND_LOOKS) {
    if (found.length === 0) break;
    await page.waitForTimeout(pause);
    found = await runAxe(page, rules, part);
  }
  return found;
}

/** No violation of any rule, or of those that are named, on the whole page as it now stands. */
export async function expectNoViolations(page: Page, name: string, rules: RunOptions = ALL_RULES): Promise<void> {
  expect.soft(await findViolations(page, rules, 'page'), `axe on ${name}`).toEqual([]);
}

/** Waits until fonts are loaded and no transition is running. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A bar that sticks to an edge must not lie now over this and now over that. A menu goes when its button scrolls away.
    const overlays = [...document.querySelectorAll('[role="dialog"], [role="menu"]')];
    if (!overlays.some((element) => element.checkVisibility())) scrollTo({ top: 0, behavior: 'instant' });
    await document.fonts.ready;
    // A change of scheme begins in the frames after it was asked for.
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
}

/** The content security policy blocks script tags, so axe is evaluated. */
async function runAxe(page: Page, rules: RunOptions, part: Part): Promise<string[]> {
  await settled(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return page.evaluate(
    async ({ rules: options, part: wanted }) => {
      // Chromium skips content below the window (content-visibility) and reports the colors of the last scheme for it.
      const drawn = new CSSStyleSheet();
      drawn.replaceSync('* { content-visibility: visible !important; }');
      document.adoptedStyleSheets.push(drawn);
      await new Promise(requestAnimationFrame);
      const overlays = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].filter((element) =>
        element.checkVisibility(),
      );
      const content = overlays.at(-1) ?? document.querySelector('main') ?? document.body;
      const contexts: Record<typeof wanted, ElementContext> = {
        page: document,
        content,
        frame: { include: [document.documentElement], exclude: [document.querySelector('main') ?? '#none'] },
      };
      const { axe } = globalThis as unknown as {
        axe: { run: (context: ElementContext, options: object) => Promise<AxeResults> };
      };
      const results = await axe
        .run(contexts[wanted], { ...options, resultTypes: ['violations'] })
        .finally(() => document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(drawn), 1));
      // Controls below an open dialog cannot be pressed, so their visible size does not count.
      const dialog = document.querySelector('[aria-modal="true"]');
      const isBelow = (selector: string) =>
        dialog !== null && !document.querySelector(selector)?.closest('[aria-modal="true"]');
      return results.violations.flatMap((violation) =>
        violation.nodes
          .filter((node) => violation.id !== 'target-size' || !isBelow(node.target.join(' ')))
          .map((node) => {
            const others = node.any.flatMap(({ relatedNodes = [] }) =>
              relatedNodes.map(({ target }) => target.join(' ')),
            );
            const summary = [node.failureSummary ?? '', ...others.map((other) => `beside ${other}`)].join('\n    ');
            return `${violation.id}: ${node.target.join(' ')}\n    ${summary}`;
          }),
      );
    },
    { rules, part },
  );
}
