/** What can be wrong: fields say so themselves, groups of controls by `data-invalid-group`. */
const WRONG = '[aria-invalid="true"]:not(:disabled), [data-invalid-group="true"]';
const CONTROL = 'button, input:not([type="file"]), select, textarea';

/** Puts the focus on the first wrong field of a form, in the order of the screen; false when there is none. */
export function focusFirstInvalid(form: ParentNode): boolean {
  const first = form.querySelector<HTMLElement>(WRONG);
  const control = first?.matches(CONTROL) ? first : first?.querySelector<HTMLElement>(CONTROL);
  control?.focus();
  return control !== undefined && control !== null;
}
