/** What can be wrong: fields say so themselves, groups by `data-invalid-group` on what should take the focus. */
const WRONG = '[aria-invalid="true"]:not(:disabled), [data-invalid-group="true"]';

/** Puts the focus on the first wrong field of a form, in the order of the screen; false when there is none. */
export function focusFirstInvalid(form: ParentNode): boolean {
  const first = form.querySelector<HTMLElement>(WRONG);
  first?.focus();
  return first !== null;
}
