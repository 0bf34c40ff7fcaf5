import { createContext, use, useEffect, useRef } from 'react';

/** A part of a dialog that has a say before the dialog closes. */
export interface CloseGuard {
  /** Whether the dialog may close now, stays open, or the user is asked first. */
  ask: () => 'close' | 'stay' | 'ask';
  /** What the user is told instead of "not saved", for example that the server has not answered yet. */
  text?: () => string | undefined;
  /** The user was asked and gives up what the part holds. */
  release?: () => void;
}

export interface DialogHandle {
  /** Closes the dialog as Escape and the cross do: the parts inside are asked first. */
  requestClose: () => void;
  addGuard: (guard: CloseGuard) => () => void;
  /** A part is gone, or says something else now: an open question is not true any more. */
  dropQuestion: () => void;
}

/** The dialog around; null on a page. */
export const DialogContext = createContext<DialogHandle | null>(null);

/** Closes the dialog around as its cross does; undefined on a page. */
export function useRequestClose(): (() => void) | undefined {
  return use(DialogContext)?.requestClose;
}

/** Has a say when the dialog around is about to close. On a page it does nothing. */
export function useCloseGuard(guard: CloseGuard): void {
  const dialog = use(DialogContext);
  const latest = useRef(guard);
  useEffect(() => {
    latest.current = guard;
  });
  const words = guard.text?.();
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => dialog?.dropQuestion, [dialog, words]);
  useEffect(
    () =>
      dialog?.addGuard({
        ask: () => latest.current.ask(),
        text: () => latest.current.text?.(),
        release: () => latest.current.release?.(),
      }),
    [dialog],
  );
}
