import { use, useLayoutEffect, useRef } from 'react';
import { OpenerContext, useOpener } from './opener';

/** Marks a dialog that is closed and fades out. */
export const CLOSED = 'data-closed';

/** Finds the row to go on with when the control that had the focus is gone, where the shell looks after the focus. */
export const nextRow: { of?: (gone: Element) => HTMLElement | undefined } = {};

/**
 * Gives the focus back to the control that opened a dialog. If that control is gone by then, the focus goes to the dialog
 * below, to the next row of its list or to the heading of the page, never to nothing.
 */
export function useReturnFocus(isOpen: boolean): void {
  const remembered = use(OpenerContext);
  const own = useOpener(isOpen);
  const giveBack = useRef<(() => void) | null>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // Only a dialog that is open from its first moment may have been waited for.
    const opener = (isFirst.current ? remembered?.current : null) ?? own.current;
    isFirst.current = false;
    if (isOpen) {
      giveBack.current = () => {
        // A control in a dialog that was closed together with this one will be gone.
        // One that is off until an outcome is known cannot have the focus.
        if (opener?.isConnected && !opener.closest(`:disabled, [${CLOSED}]`)) {
          opener.focus({ preventScroll: true });
          followFocus(opener);
        } else if (isFocusLost()) focusScreen(opener);
      };
    } else {
      // Here and not in a clean-up: React puts the focus back to where it was before those.
      giveBack.current?.();
      giveBack.current = null;
    }
  }, [isOpen, remembered, own]);
  useLayoutEffect(() => () => giveBack.current?.(), []);
}

/** Returns true unless another dialog that has closed in the same moment gave the focus back already. */
function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.closest(`[${CLOSED}]`) !== null;
}

/** Focuses what the user looks at: the dialog that is open, the row after that of a control that is gone, or the heading of the page. */
export function focusScreen(gone?: Element | null): void {
  const target = findDialogBelow() ?? (gone && nextRow.of?.(gone)) ?? findHeading();
  if (!target) return;
  target.focus({ preventScroll: true });
  // It may be a dialog that closes in the next moment.
  followFocus(target);
}

/** Ends the watch on the last control that got the focus back. */
let stopFollowing: () => void = () => undefined;

/**
 * What a dialog did may take the control away that opened it, at once or when the page has loaded again: *Discharge* of a
 * guest who is discharged. The browser then leaves the focus nowhere. Until the user goes on, the screen gets it instead.
 */
function followFocus(control: HTMLElement): void {
  stopFollowing();
  // The shell watches every control.
  if (nextRow.of) return;
  const observer = new MutationObserver(() => {
    if (control.isConnected) return;
    stopFollowing();
    if (document.activeElement === document.body) focusScreen();
  });
  const endWhenElsewhere = ({ target }: Event) => {
    if (target !== control) stopFollowing();
  };
  stopFollowing = () => {
    observer.disconnect();
    document.removeEventListener('focusin', endWhenElsewhere);
  };
  document.addEventListener('focusin', endWhenElsewhere);
  observer.observe(document.body, { childList: true, subtree: true });
}

/** The dialog that is left when the one with the focus closes. */
function findDialogBelow(): HTMLElement | undefined {
  const dialogs = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')];
  return dialogs.findLast((dialog) => !dialog.closest(`[${CLOSED}]`) && !dialog.contains(document.activeElement));
}

function findHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-page-heading]');
}
