/** Time in milliseconds within which a key belongs to the press before, as in `steady-press`. */
const DOUBLE_PRESS_MILLISECONDS = 500;

/**
 * Focuses the control to go on with after a decision. A key that is pressed again at once belongs to that decision: a second
 * Enter would act for the next guest.
 */
export function focusSteadily(control: HTMLElement): void {
  control.focus({ preventScroll: true });
  const at = performance.now();
  const keep = (event: MouseEvent) => {
    // Only keys and scripts; `steady-press` looks after the pointer.
    if (event.detail === 0 && event.timeStamp - at < DOUBLE_PRESS_MILLISECONDS) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else control.removeEventListener('click', keep, { capture: true });
  };
  control.addEventListener('click', keep, { capture: true });
}
