/** Invalid fields are marked by `aria-invalid`, groups of controls by `data-invalid-group`. */
const INVALID = '[aria-invalid="true"]:not(:disabled), [data-invalid-group="true"]';
const CONTROL = 'button, input:not([type="file"]), select, textarea';

/** In this time after a press another one may be the second half of a double tap. In milliseconds. */
const DOUBLE_TAP = 400;

/** Focuses the first invalid field of a form in screen order; does nothing if there is none. */
export function focusFirstInvalid(form: ParentNode): void {
  const first = form.querySelector<HTMLElement>(INVALID);
  const control = first?.matches(CONTROL) ? first : first?.querySelector<HTMLElement>(CONTROL);
  control?.focus();
}

/**
 * Lets nothing in a form or list be pressed for a moment: what is in it has moved, and a second press, meant for the button
 * that was pressed first, would choose whatever lies under the finger now.
 */
export function ignoreSecondTap(element: HTMLElement, milliseconds = DOUBLE_TAP): void {
  element.animate({ pointerEvents: ['none', 'none'] }, milliseconds);
}
