import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { fullName, hasBed, placeOf } from '../ui/guest-facts.utils';
import type { GuestStatusCommand } from '../api/guest-commands';
import { siteReasonsQuery } from '../api/reasons-query';
import { useOpenCommand } from '../api/open-commands';
import { useUpdateGuest } from '../api/update-guest';
import { useUndoDecision } from '../api/use-undo-decision';
import { CommandWait } from '../ui/command-wait';
import { MAX_FEEDBACK } from '../ui/feedback';
import { useRefusalText } from '../ui/use-refusal-text';

export type DecisionKind = 'decline' | 'discharge' | 'noShow';

const DECISIONS = {
  decline: {
    status: 'REJECTED',
    title: 'decide.declineTitle',
    text: 'decide.declineText',
    confirm: 'decline',
    done: 'decide.declined',
    note: 'decide.feedback',
    reasons: 'Decline',
  },
  discharge: {
    status: 'DISCHARGED',
    title: 'decide.dischargeTitle',
    text: 'decide.dischargeText',
    confirm: 'discharge',
    done: 'decide.discharged',
    note: 'decide.feedback',
    reasons: 'Discharge',
  },
  noShow: {
    status: 'NO_SHOW',
    title: 'decide.noShowTitle',
    text: 'decide.noShowText',
    confirm: 'arrival.noShow',
    done: 'decide.noShowDone',
    note: 'decide.reason',
    reasons: null,
  },
} as const satisfies Record<
  DecisionKind,
  { status: GuestStatusCommand; reasons: Schemas['ReasonKind'] | null } & Record<string, string | null>
>;

/** Whether a decision can still be made about a guest. */
const IS_OPEN: Record<DecisionKind, (guest: Schemas['Guest']) => boolean> = {
  decline: ({ status }) => status === 'pending',
  discharge: hasBed,
  noShow: ({ isArriving }) => isArriving,
};

export interface DecisionDialogProps {
  /** The guest to decide about; none while nothing is asked. */
  subject: Schemas['Guest'] | null;
  /** A pending reservation is declined, a guest in a bed is discharged, and one who was to arrive did not come. */
  kind: DecisionKind;
  /** Feedback that was typed where the decision was made; unless given, the dialog asks for it. */
  feedback?: string;
  onClose: () => void;
  /** After the server has agreed, in addition to `onClose`. */
  onDone?: () => void;
}

/**
 * Asks before a reservation is declined or a guest discharged, also one who did not come; names the guest, takes a reason and
 * feedback, tells the result. After a refusal because of another change, it asks about the guest as the refusal shows it, or can only
 * be closed if nothing is left to decide. While the outcome is not known it says so and may be closed; the result is then told by a message.
 */
export function DecisionDialog({ subject: asked, kind, feedback: given, onClose, onDone }: DecisionDialogProps) {
  const [refused, setRefused] = useState<Schemas['Guest'] | null>(null);
  const isRefused = asked && refused?.id === asked.id && refused.version > asked.version;
  /** The refusal leaves nothing to decide. */
  const isOver = isRefused && !IS_OPEN[kind](refused);
  const subject = isRefused && !isOver ? refused : asked;
  const { t } = useTranslation(['guests', 'common']);
  const refusalText = useRefusalText();
  const update = useUpdateGuest({ tellsWhenGone: false });
  const open = useOpenCommand(subject?.id);
  const { undo } = useUndoDecision();
  const decision = DECISIONS[kind];
  const reasons = useQuery({
    ...siteReasonsQuery(subject?.siteId ?? ''),
    enabled: subject !== null && decision.reasons !== null,
  });
  const choice = {
    label: t('decide.chosenReason'),
    none: t('decide.noReason'),
    loading: t(reasons.isPaused ? 'decide.reasonsOffline' : 'decide.reasonsLoading'),
    failed: reasons.isError ? t('decide.reasonsFailed') : undefined,
    options: reasons.data
      ?.filter((reason) => reason.kind === decision.reasons)
      .map(({ id, name }) => ({ value: id, label: name })),
  };
  const namesOf = (guest: Schemas['Guest']) => {
    const place = placeOf(guest);
    return { guest: fullName(guest), code: guest.code, place: place ? t('place', place) : t('noPlace') };
  };
  return (
    <ConfirmMutation
      danger
      subject={subject}
      title={(guest) => t(decision.title, namesOf(guest))}
      confirmLabel={t(decision.confirm)}
      way={isOver ? <></> : undefined}
      cancelLabel={isOver ? t('common:action.close') : undefined}
      note={
        given === undefined
          ? { label: t(decision.note), description: t('decide.feedbackHint'), maxLength: MAX_FEEDBACK }
          : undefined
      }
      choice={decision.reasons === null ? undefined : choice}
      run={async (guest, typed, reasonId) => {
        try {
          return await update.mutateAsync({
            guestId: guest.id,
            siteId: guest.siteId,
            status: decision.status,
            bedId: null,
            version: guest.version,
            feedback: given ?? typed,
            reasonId,
          });
        } catch (error) {
          const now = error instanceof ConflictError ? error.problem.guest : undefined;
          if (now) setRefused(now);
          throw error;
        }
      }}
      isWaiting={open !== undefined && open.state !== 'sending'}
      done={(guest) => t(decision.done, namesOf(guest))}
      about={({ id }) => `guest:${id}`}
      undo={(_, ended) => () => undo(ended, fullName(ended))}
      refusalText={refusalText}
      onDone={() => {
        onClose();
        onDone?.();
      }}
      onClose={onClose}
    >
      {(guest) => (
        <>
          <Text>{t(decision.text, namesOf(guest))}</Text>
          {given ? <Text>{t('decide.withFeedback', { feedback: given })}</Text> : null}
          <CommandWait state={open?.state} />
        </>
      )}
    </ConfirmMutation>
  );
}
