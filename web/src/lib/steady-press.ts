/**
 * Keeps the second half of a double click or double tap from a control. When a row or a message goes, the next one moves
 * up, and its button would act for another guest. While the row is still there, the same button would act twice.
 */

/** Spread on a control that acts at once, or on the list around it. */
export const steadyPress = { 'data-steady': true } as const;

/** Time in milliseconds within which a second press at the same place belongs to the first. */
const DOUBLE_PRESS_MILLISECONDS = 500;
/** Distance in CSS pixels within which a finger or a mouse is still at the same place. */
const SAME_PLACE_PIXELS = 16;

interface Press {
  at: number;
  x: number;
  y: number;
}

/** The press that a second one would belong to; none after a press on a control that is not marked. */
let first: Press | null = null;

/** Whether the browser counts the click as a second one; fingers are not counted everywhere. */
function isRepeated(event: MouseEvent): boolean {
  return event.detail > 1 || (event instanceof PointerEvent && event.pointerType === 'touch');
}

function guard(event: MouseEvent): void {
  // Keys and scripts press the control that they mean.
  if (event.detail === 0 || !(event.target instanceof Element)) return;
  const { timeStamp: at, clientX: x, clientY: y } = event;
  const isSecond =
    first !== null &&
    isRepeated(event) &&
    at - first.at < DOUBLE_PRESS_MILLISECONDS &&
    Math.hypot(x - first.x, y - first.y) <= SAME_PLACE_PIXELS;
  if (isSecond && first) {
    event.preventDefault();
    event.stopImmediatePropagation();
    // A third press belongs to the same series.
    first = { ...first, at };
    return;
  }
  const control = event.target.closest('button, a, [role="button"]');
  first = control?.closest('[data-steady]') ? { at, x, y } : null;
}

if (typeof window !== 'undefined') window.addEventListener('click', guard, { capture: true });
