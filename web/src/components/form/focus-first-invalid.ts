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
 * Lets nothing in the form be pressed for a moment: it moved to its first invalid field, and the second half of a double tap
 * on the submit button would choose whatever lies under the finger now.
 */
export function ignoreSecondTap(form: HTMLElement): void {
  form.animate({ pointerEvents: ['none', 'none'] }, DOUBLE_TAP);
}
