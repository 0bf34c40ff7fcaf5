import axe from 'axe-core';
import { expect } from 'vitest';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails with a readable list when axe finds something on the page, dialogs included. */
export async function expectNoViolations(root: Element = document.body): Promise<void> {
  const { violations } = await axe.run(root, {
    runOnly: RULES,
    // A component alone has no page around it.
    rules: {
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
      'landmark-one-main': { enabled: false },
    },
  });
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html.slice(0, 160)).join('\n  ')}`,
  );
  expect(found).toEqual([]);
}
