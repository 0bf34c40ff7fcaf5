import { type RefObject, useEffect } from 'react';

/** Events by which somebody changes a form. */
const CHANGES = ['beforeinput', 'keydown', 'pointerdown', 'mousedown', 'click', 'drop'] as const;

/** Put on what works while the form is being sent: the row of buttons with its Cancel, the place where a bank asks. */
export const WORKS_WHILE_SENT = { 'data-works-while-sent': true } as const;

/**
 * Keeps a form as it was sent while `isHeld`: what is changed then would be gone with the answer. The focus stays where it is.
 */
export function useHeldFields(form: RefObject<HTMLFormElement | null>, isHeld: boolean): void {
  useEffect(() => {
    const element = form.current;
    if (!isHeld || !element) return undefined;
    const stop = new AbortController();
    const hold = (event: Event) => {
      const works = event.target instanceof Element && event.target.closest('[data-works-while-sent]') !== null;
      if (works || (event instanceof KeyboardEvent && !isEditing(event))) return;
      event.preventDefault();
      // React changes a radio in its handler of the click.
      event.stopPropagation();
    };
    for (const change of CHANGES) element.addEventListener(change, hold, { capture: true, signal: stop.signal });
    element.setAttribute('aria-busy', 'true');
    return () => {
      stop.abort();
      element.removeAttribute('aria-busy');
    };
  }, [form, isHeld]);
}

/** Keys that change a text. */
const TEXT_KEYS = /^(.|Arrow.*|Enter|Backspace|Delete)$/u;
/** Keys that change a choice or a date, or open its list or calendar. */
const CHOICE_KEYS = /^(.|Arrow.*|Enter|Backspace|Delete|Home|End|Page.*|F4)$/u;

/** Returns true for keys that change a field, false for those that leave it, copy, scroll or belong to the browser. */
function isEditing({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isChoice = target instanceof HTMLElement && target.matches('select, input:is([type=date], [type=time])');
  if (ctrlKey || metaKey) return false;
  if (altKey) return isChoice && /^Arrow(Up|Down)$/.test(key);
  return (isChoice ? CHOICE_KEYS : TEXT_KEYS).test(key);
}
