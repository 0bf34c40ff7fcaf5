import { useEffect } from 'react';

/** After these many milliseconds the focus is looked for: once the kit has had its turn, and when all has faded out. */
const LOOKS = [40, 250] as const;

/**
 * Gives the focus back when a dialog that was opened from a menu is left: the kit would return it to the entry of the
 * menu, which is gone by then. `selector` finds the button of that menu; null while no dialog is open.
 *
 * Whoever goes on at once has chosen where the focus is: a menu opened meanwhile would be closed under the hand.
 */
export function useFocusBack(selector: string | null): void {
  useEffect(() => {
    if (!selector) return undefined;
    return () => {
      const timers = [setTimeout(listen, 0), ...LOOKS.map((wait) => setTimeout(() => restore(selector), wait))];
      const stop = () => timers.forEach(clearTimeout);

      // Not at once: the key press that closed the dialog is still on its way.
      function listen() {
        const signal = AbortSignal.timeout(LOOKS[1] + 100);
        for (const sign of ['pointerdown', 'keydown']) {
          document.addEventListener(sign, stop, { capture: true, once: true, signal });
        }
      }
    };
  }, [selector]);
}

function restore(selector: string): void {
  const active = document.activeElement;
  const isLost = !active || active === document.body || active.closest('[role="dialog"], [role="menu"]') !== null;
  if (isLost) document.querySelector<HTMLElement>(selector)?.focus();
}
