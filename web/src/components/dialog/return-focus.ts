import { use, useLayoutEffect, useRef } from 'react';
import { OpenerContext, useOpener } from './opener';

/**
 * Gives the focus back to the control that opened a dialog. If that control is gone by then, the focus goes to the dialog
 * below or to the heading of the page, never to nothing.
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
        if (opener?.isConnected) {
          opener.focus({ preventScroll: true });
          followFocus(opener);
        } else focusScreen();
      };
    } else {
      // Here and not in a clean-up: React puts the focus back to where it was before those.
      giveBack.current?.();
      giveBack.current = null;
    }
  }, [isOpen, remembered, own]);
  useLayoutEffect(() => () => giveBack.current?.(), []);
}

/** Focuses what the user looks at: the dialog that is open, or the heading of the page. */
export function focusScreen(): void {
  const target = findDialogBelow() ?? findHeading();
  if (!target) return;
  target.focus({ preventScroll: true });
  // The dialog may be one that is fading out.
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
  return dialogs.filter((dialog) => !dialog.contains(document.activeElement)).at(-1);
}

function findHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-page-heading]');
}
