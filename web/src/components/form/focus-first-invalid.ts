/** Invalid fields are marked by `aria-invalid`, groups of controls by `data-invalid-group`. */
const INVALID = '[aria-invalid="true"]:not(:disabled), [data-invalid-group="true"]';
const CONTROL = 'button, input:not([type="file"]), select, textarea';

/** Focuses the first invalid field of a form in screen order; does nothing if there is none. */
export function focusFirstInvalid(form: ParentNode): void {
  const first = form.querySelector<HTMLElement>(INVALID);
  const control = first?.matches(CONTROL) ? first : first?.querySelector<HTMLElement>(CONTROL);
  control?.focus();
}
