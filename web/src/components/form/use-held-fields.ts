import { type RefObject, useEffect } from 'react';

/** What changes a field: the first for texts, the others for choices. */
const CHANGES = ['beforeinput', 'click', 'mousedown', 'keydown'] as const;

/**
 * Keeps the fields of a form as they were sent while `isHeld`: what is typed then would be gone with the answer. The focus
 * stays where it is.
 */
export function useHeldFields(form: RefObject<HTMLFormElement | null>, isHeld: boolean): void {
  useEffect(() => {
    const element = form.current;
    if (!isHeld || !element) return undefined;
    const stop = new AbortController();
    const hold = (event: Event) => {
      if (changesField(event)) event.preventDefault();
    };
    for (const change of CHANGES) element.addEventListener(change, hold, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, [form, isHeld]);
}

function changesField(event: Event): boolean {
  const { target, type } = event;
  if (type === 'beforeinput') return true;
  if (target instanceof HTMLSelectElement) return !(event instanceof KeyboardEvent && /^(Tab|Escape)$/.test(event.key));
  return type === 'click' && target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);
}
