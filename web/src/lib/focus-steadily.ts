/** Time in milliseconds within which a key belongs to the press before, as in `steady-press`. */
const DOUBLE_PRESS_MILLISECONDS = 500;

/**
 * Only keys and scripts; `steady-press` looks after the pointer. Only on the control itself: who has gone on to a button in a
 * row means it.
 */
function keep(event: MouseEvent): void {
  if (event.detail !== 0 || event.target !== event.currentTarget) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Focuses the control to go on with after a decision. A key that is pressed again at once belongs to that decision: a second
 * Enter would act for the next guest.
 */
export function focusSteadily(control: HTMLElement): void {
  control.focus({ preventScroll: true });
  control.addEventListener('click', keep, { capture: true });
  setTimeout(() => control.removeEventListener('click', keep, { capture: true }), DOUBLE_PRESS_MILLISECONDS);
}
