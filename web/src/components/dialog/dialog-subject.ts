import { useState } from 'react';

/** What a dialog is about. Without a subject the dialog is closed; `true` opens one that needs no subject. */
export type DialogSubject<Subject> = Subject | false | null | undefined;

/** Returns true if there is a subject: the dialog is open. */
export function hasSubject<Subject>(subject: DialogSubject<Subject>): subject is Subject {
  return subject !== undefined && subject !== null && subject !== false;
}

/** The dialog if it is of this kind, else null: lets one state hold whichever of several dialogs is open. */
export function ofKind<Dialog extends { kind: string }, Kind extends Dialog['kind']>(
  dialog: DialogSubject<Dialog>,
  kind: Kind,
): Extract<Dialog, { kind: Kind }> | null {
  return hasSubject(dialog) && dialog.kind === kind ? (dialog as Extract<Dialog, { kind: Kind }>) : null;
}

/**
 * Follows the subject of a dialog. The last subject stays while the dialog fades out, and `opening` counts how often the
 * dialog was opened: used as a key, it gives each opening fresh state.
 */
export function useDialogSubject<Subject>(subject: DialogSubject<Subject>) {
  const isOpen = hasSubject(subject);
  const [state, setState] = useState({ isOpen, last: isOpen ? subject : null, opening: 1 });
  if (isOpen !== state.isOpen || (isOpen && subject !== state.last)) {
    const next = {
      isOpen,
      last: isOpen ? subject : state.last,
      opening: isOpen && !state.isOpen ? state.opening + 1 : state.opening,
    };
    setState(next);
    return next;
  }
  return state;
}
