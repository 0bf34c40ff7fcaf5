/**
 * Keeps the second half of a double click, a double tap or a double Enter from a control that it is not meant for. When a
 * row or a message goes, the next one moves up, and its button would act for another guest. While the row is still there,
 * the same button would act twice. When a dialog or a menu opens or closes, something else lies there or has the focus.
 */

/** Spread on a control that acts at once, or on the list around it. */
export const steadyPress = { 'data-steady': true } as const;

/** Time in milliseconds within which a second press at the same place, or of the same key, belongs to the first. */
const DOUBLE_PRESS_MILLISECONDS = 500;
/** Distance in CSS pixels within which a finger or a mouse is still at the same place. */
const SAME_PLACE_PIXELS = 16;
/** The keys that press a control. */
const PRESSING_KEYS = ['Enter', ' '];

interface Press {
  at: number;
  x: number;
  y: number;
}

/** The presses that a second one would belong to; none after a press on a control that is not marked. */
let first: Press | undefined;
let firstKey: KeyboardEvent | undefined;
/** The last presses of any control. */
let last: Press | undefined;
let lastKey: KeyboardEvent | undefined;
/** What pressed last, as a finger's `mousedown` says nothing of it. */
let pointer = '';

/** To be called when something opens or closes by a press: the second half of the press is not for what is there now. */
export function keepSecondPress(): void {
  first = last;
  firstKey = lastKey;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Also before a click: fields take the focus by `mousedown`, and some open their list. */
function guardMouse(event: MouseEvent): void {
  const { detail, target, timeStamp: at, clientX: x, clientY: y } = event;
  if (event instanceof PointerEvent) pointer = event.pointerType;
  if (event.type === 'pointerdown') {
    // A press of the pointer in between makes the next key a press of its own.
    firstKey = undefined;
    lastKey = undefined;
  }
  // Keys and scripts press the control that they mean.
  if (detail === 0 || !(target instanceof Element)) return;
  const isClick = event.type === 'click';
  if (
    first &&
    // The browser does not count the taps of fingers everywhere.
    (detail > 1 || pointer === 'touch') &&
    at - first.at < DOUBLE_PRESS_MILLISECONDS &&
    Math.hypot(x - first.x, y - first.y) <= SAME_PLACE_PIXELS
  ) {
    stop(event);
    // A third press belongs to the same series.
    if (isClick) first.at = at;
  } else if (isClick) {
    last = { at, x, y };
    first = target.closest('button, a, [role="button"]')?.closest('[data-steady]') ? last : undefined;
  }
}

function guardKey(event: KeyboardEvent): void {
  if (firstKey?.key === event.key && event.timeStamp - firstKey.timeStamp < DOUBLE_PRESS_MILLISECONDS) {
    stop(event);
    return;
  }
  firstKey = undefined;
  lastKey = PRESSING_KEYS.includes(event.key) ? event : undefined;
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', guardMouse, true);
  window.addEventListener('mousedown', guardMouse, true);
  window.addEventListener('click', guardMouse, true);
  window.addEventListener('keydown', guardKey, true);
}
