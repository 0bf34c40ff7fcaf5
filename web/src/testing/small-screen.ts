/** Small screens for the browser tests, and whether what is shown has room there. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';

/** The smallest phone (WCAG 1.4.10), and a phone whose letters are twice as large (WCAG 1.4.4). */
export const SMALL_SCREENS = [
  { width: 320, letters: 100 },
  { width: 390, letters: 200 },
] as const;

/** The edges that the frame of the screens leaves on a phone, which a view of a test is without; dialogs have none. */
const edges = new CSSStyleSheet();
edges.replaceSync('body > div:not([data-portal]) { padding-inline: 16px; }');

type SmallScreen = (typeof SMALL_SCREENS)[number];

/** Before a view is rendered. Call `restoreScreen` after the test. */
export async function useSmallScreen({ width, letters }: SmallScreen): Promise<void> {
  await page.viewport(width, 844);
  document.documentElement.style.fontSize = `${letters}%`;
  document.adoptedStyleSheets = [edges];
}

export async function restoreScreen(): Promise<void> {
  document.documentElement.style.fontSize = '';
  document.adoptedStyleSheets = [];
  await page.viewport(1360, 900);
}

export function expectNoSidewaysScroll(): void {
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
}

/** Expects the element and what is in it to be on the screen, with no part cut off. */
export function expectWhole(element: Element): void {
  const { left, right, width, height } = element.getBoundingClientRect();
  const what = element.getAttribute('aria-label') ?? element.textContent;
  expect(Math.min(width, height), `size of ${what}`).toBeGreaterThan(0);
  expect(left, `left edge of ${what}`).toBeGreaterThanOrEqual(0);
  expect(right, `right edge of ${what}`).toBeLessThanOrEqual(window.innerWidth);
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowX === 'visible') continue;
    const box = around.getBoundingClientRect();
    expect(left, `left edge of ${what}`).toBeGreaterThanOrEqual(box.left - 1);
    expect(right, `right edge of ${what}`).toBeLessThanOrEqual(box.right + 1);
  }
  for (const inside of [element, ...element.querySelectorAll('*')]) {
    if (inside.clientWidth === 0 || inside.closest('svg')) continue;
    expect(inside.scrollWidth, `room for ${what}`).toBeLessThanOrEqual(inside.clientWidth + 1);
    expect(inside.scrollHeight, `room for ${what}`).toBeLessThanOrEqual(inside.clientHeight + 1);
  }
}

/** Expects all buttons of a view to be whole. */
export function expectButtonsWhole(around: Element = document.body): void {
  const buttons = [...around.querySelectorAll('button, a[class*="Button-root"]')].filter(
    ({ clientWidth }) => clientWidth > 1,
  );
  expect(buttons.length).toBeGreaterThan(0);
  for (const button of buttons) expectWhole(button);
}

/** Expects no element to lie on another. */
export function expectApart(...elements: readonly Element[]): void {
  const boxes = elements.map((element) => ({ element, box: element.getBoundingClientRect() }));
  for (const [index, { element, box }] of boxes.entries()) {
    for (const { element: other, box: otherBox } of boxes.slice(index + 1)) {
      const across = Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left);
      const down = Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top);
      const isApart = across <= 0.5 || down <= 0.5;
      expect(isApart, `"${element.textContent}" and "${other.textContent}" lie on each other`).toBe(true);
    }
  }
}

/** Expects a button to stand beside a field: as high as its input, from the same line on. */
export function expectBeside(button: Element, input: Element): void {
  const [{ top, bottom, left }, field] = [button.getBoundingClientRect(), input.getBoundingClientRect()];
  expect({ top, bottom }).toEqual({ top: field.top, bottom: field.bottom });
  expect(left).toBeGreaterThan(field.right);
}
