import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { touch } from '@/testing/touch';
import { EmailLink } from './contact-link';

afterEach(() => touch(false));

/** The lines of the link, as they are read. */
function linesOf(link: Element): string[] {
  const lines = new Map<number, string>();
  const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    for (let index = 0; index < node.length; index += 1) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? '') + range.toString());
    }
  }
  return [...lines.values()];
}

it.each([false, true])('an address without room wraps after its @ and its dots (touch: %s)', async (isTouch) => {
  await touch(isTouch);
  await renderView(
    <div style={{ width: '11ch', fontSize: 30, fontFamily: 'monospace' }}>
      <EmailLink email="esperanza@guests.example" />
    </div>,
  );
  const link = page.getByRole('link', { name: 'esperanza@guests.example' });
  await expect.element(link).toHaveAttribute('href', 'mailto:esperanza@guests.example');
  expect(linesOf(link.element())).toEqual(['esperanza@', 'guests.', 'example']);
});
