import { useEffect, useRef } from 'react';
import { guestCommands, type GuestStatusCommand } from '@/features/guests/api/guest-commands';
import { CLOSED } from '@/components/dialog/return-focus';
import { focusSteadily } from '@/lib/focus-steadily';
import { neighborOf } from '@/lib/neighbor';

/** Returns true if a dialog lies over the page, or has the focus; one that fades out does not count. */
function isDialogOpen(): boolean {
  const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter((one) => !one.closest(`[${CLOSED}]`));
  return dialogs.some((one) => one.ariaModal === 'true' || one.contains(document.activeElement));
}

interface Row {
  guest: { id: string; version: number };
}

interface FocusNext {
  /** Id of the heading that names the list. */
  headingId: string;
  /** The commands by which the user makes a row go. */
  endedBy: readonly GuestStatusCommand[];
  /** Id of the heading that gets the focus when no row is left; the list's own unless given. */
  otherwise?: string;
}

/**
 * When the row of a list that had the focus goes, the next one has it: on what is marked `data-go-on` when the user made it
 * go, else on the row itself, since the next key would press a button for another guest. Only a button that asks a question
 * first is marked. For the screen around the list, which stays when the list goes. Rows have `data-row` with the id of their
 * guest, and a tab index of -1.
 */
export function useFocusNext(rows: readonly Row[], { headingId, endedBy, otherwise = headingId }: FocusNext): void {
  const before = useRef<readonly Row[]>([]);
  const focused = useRef<string | undefined>(undefined);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const row = target.closest<HTMLElement>(`[aria-labelledby="${headingId}"] > [data-row]`);
      // A question belongs to the row that it was asked from.
      if (!target.closest('[role="dialog"]')) focused.current = row?.dataset.row;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [headingId]);
  useEffect(() => {
    const old = before.current;
    before.current = rows;
    const idOf = ({ guest }: Row) => guest.id;
    const gone = old.find((row) => idOf(row) === focused.current)?.guest;
    if (!gone || rows.some((row) => idOf(row) === gone.id)) return;
    // By the version of the row: somebody else may have decided about that guest since, or at the same time.
    const done = guestCommands.lastDone(gone.id)?.update;
    const status = done?.version === gone.version ? done?.status : undefined;
    const isOwn = status !== undefined && endedBy.includes(status);
    // The keys belong to the dialog, and the page below it is covered. When it closes, it looks after the focus.
    if (isDialogOpen()) return;
    const next = neighborOf(gone.id, old.map(idOf), rows.map(idOf));
    const drawn = document.querySelectorAll<HTMLElement>(`[aria-labelledby="${headingId}"] > [data-row]`);
    const row = [...drawn].find(({ dataset }) => dataset.row === next);
    const target = (isOwn && row?.querySelector<HTMLElement>('[data-go-on]')) || row;
    // The screen stays where it is: the list is below what was looked at.
    const place = target ?? document.getElementById(otherwise);
    if (place) focusSteadily(place);
  }, [rows, headingId, endedBy, otherwise]);
}
