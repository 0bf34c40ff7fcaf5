import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Schemas } from '@/api/client';
import { lazyDialog } from '@/components/lazy-named';
import { useLoadAhead } from '@/components/use-load-ahead';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { guestKeys } from '@/features/guests/api/keys';
import { DecisionDialog } from '@/features/guests/components/decision-dialog';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import { useForgetDecided } from '@/features/today/api/use-today';
import type { FocusRequest } from '@/features/today/components/waiting-list';
import { neighborOf } from '@/lib/neighbor';

const loadAcceptDialog = () => import('@/features/reservations/components/accept-dialog');
const AcceptDialog = lazyDialog(loadAcceptDialog, 'AcceptDialog', { texts: ['houses'] });

interface TodayDecisions {
  onAccept: (waiting: Schemas['TodayReservation']) => void;
  onDecline: (waiting: Schemas['TodayReservation']) => void;
  onNoShow: (guest: Schemas['Guest']) => void;
  onDischarge: (guest: Schemas['Guest']) => void;
  /** The row that gets the focus, after the one that was decided on has gone. */
  focus: FocusRequest | null;
  /** The bed chooser and the questions before a decline, a no-show and a discharge; to be drawn beside the list. */
  dialogs: ReactNode;
}

/**
 * The decisions made over the lists of Today: afterwards the row is gone and the focus is on the next one. Until a row is
 * gone, its buttons ask nothing about a guest who was decided on.
 */
export function useTodayDecisions(today: Schemas['Today'] | undefined): TodayDecisions {
  const waiting = today?.waiting;
  const queryClient = useQueryClient();
  const supportPhone = usePublicSettings()?.supportPhone ?? null;
  const forget = useForgetDecided();
  const [accepted, setAccepted] = useState<Schemas['Guest'] | null>(null);
  const [declined, setDeclined] = useState<Schemas['Guest'] | null>(null);
  const [absent, setAbsent] = useState<Schemas['Guest'] | null>(null);
  const [leaving, setLeaving] = useState<Schemas['Guest'] | null>(null);
  const [left, setLeft] = useState<Schemas['Guest'] | null>(null);
  const [focus, setFocus] = useState<FocusRequest | null>(null);
  const ids = useRef<readonly string[]>([]);
  /** The order when the decision began: by the time it is made, the row may have gone already. */
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    ids.current = waiting?.map(({ guest }) => guest.id) ?? [];
  }, [waiting]);
  useEffect(() => {
    // After the question has closed and given the focus back to the row: from there it goes on to the next one.
    if (left) forget(left.id, 'inBed');
  }, [left, forget]);
  // What this tab did ends a question, such as the *Undo* of a message. Who else decided is told when it is answered.
  if (isOver(declined, today)) setDeclined(null);
  if (isOver(absent, today)) setAbsent(null);
  if (isOver(leaving, today)) setLeaving(null);
  useLoadAhead(loadAcceptDialog);

  const onAccept = useCallback(
    ({ guest }: Schemas['TodayReservation']) => {
      if (isOutdated(guest)) return;
      before.current = ids.current;
      queryClient.setQueryData<Schemas['Guest']>(guestKeys.one(guest.id), (known) =>
        known && known.version > guest.version ? known : guest,
      );
      setAccepted(guest);
    },
    [queryClient],
  );
  const onDecline = useCallback(({ guest }: Schemas['TodayReservation']) => {
    if (isOutdated(guest)) return;
    before.current = ids.current;
    setDeclined(guest);
  }, []);
  const onNoShow = useCallback((guest: Schemas['Guest']) => {
    if (!isOutdated(guest)) setAbsent(guest);
  }, []);
  const onDischarge = useCallback((guest: Schemas['Guest']) => {
    if (!isOutdated(guest)) setLeaving(guest);
  }, []);
  const goOn = (decided: Schemas['Guest'] | null) => {
    if (!decided) return;
    forget(decided.id, 'waiting');
    setFocus({ guestId: neighborOf(decided.id, before.current, ids.current) });
  };
  const dialogs = (
    <>
      <AcceptDialog
        subject={accepted}
        supportPhone={supportPhone}
        onClose={() => setAccepted(null)}
        onPlaced={() => {
          setAccepted(null);
          goOn(accepted);
        }}
      />
      <DecisionDialog
        subject={declined}
        kind="decline"
        onClose={() => setDeclined(null)}
        onDone={() => goOn(declined)}
      />
      <DecisionDialog subject={absent} kind="noShow" onClose={() => setAbsent(null)} onDone={() => setLeft(absent)} />
      <DecisionDialog
        subject={leaving}
        kind="discharge"
        onClose={() => setLeaving(null)}
        onDone={() => setLeft(leaving)}
      />
    </>
  );
  return { onAccept, onDecline, onNoShow, onDischarge, focus, dialogs };
}

/** Returns true if a command from this tab has taken the guest out of the lists. */
function isOver(guest: Schemas['Guest'] | null, today: Schemas['Today'] | undefined): boolean {
  if (!guest || !today || !isOutdated(guest)) return false;
  return ![...today.waiting, ...today.arriving, ...today.soon].some((row) => row.guest.id === guest.id);
}

/** Returns true if a command from this tab has changed the guest since this version: what it shows is over. */
function isOutdated({ id, version }: Pick<Schemas['Guest'], 'id' | 'version'>): boolean {
  const done = guestCommands.lastDone(id);
  return done !== undefined && done.guest.version > version;
}
