import axe from 'axe-core';
import { expect } from 'vitest';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails with a readable list when axe finds something on the page, dialogs included. */
export async function expectNoViolations(root: Element = document.body): Promise<void> {
  await stillness();
  const { violations } = await axe.run(root, {
    runOnly: RULES,
    // A component alone has no page around it.
    rules: {
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
      'landmark-one-main': { enabled: false },
      // The head of a dialog is a <header> too; while it is open, the one of the page is not reachable.
      'landmark-no-duplicate-banner': { enabled: false },
      'landmark-unique': { enabled: false },
    },
  });
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n  ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join('\n  ')}`,
  );
  expect(found).toEqual([]);
}

/** Half faded in, every text has too little contrast: wait until nothing moves. */
async function stillness(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const moving = document
    .getAnimations()
    .filter((one) => one.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(moving.map((one) => one.finished));
}
