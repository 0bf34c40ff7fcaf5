import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { fullName, placeOf } from '../ui/guest-facts.utils';
import { useErrorText } from '@/components/use-error-text';
import { useOpenCommand } from '../api/open-commands';
import { useUpdateGuest } from '../api/update-guest';
import { useUndoDecision } from '../api/use-undo-decision';
import { CommandWait } from '../ui/command-wait';
import { MAX_FEEDBACK } from '../ui/feedback';
import { useChangedBy } from '../ui/use-changed-by';

interface DecisionDialogProps {
  /** The guest to decide about; none while nothing is asked. */
  subject: Schemas['Guest'] | null;
  /** A pending reservation is declined, a guest in a bed is discharged. */
  kind: 'decline' | 'discharge';
  /** Feedback that was typed where the decision was made; unless given, the dialog asks for it. */
  feedback?: string;
  onClose: () => void;
  /** After the server has agreed, in addition to `onClose`. */
  onDone?: () => void;
}

/**
 * Asks before a reservation is declined or a guest discharged; names the guest, takes feedback, tells the result. While
 * the outcome is not known it says so and may be closed; the result is then told by a message.
 */
export function DecisionDialog({ subject, kind, feedback: given, onClose, onDone }: DecisionDialogProps) {
  const { t } = useTranslation('guests');
  const errorText = useErrorText();
  const changedBy = useChangedBy();
  const update = useUpdateGuest({ tellsWhenGone: false });
  const open = useOpenCommand(subject?.id);
  const { undo } = useUndoDecision();
  const isDecline = kind === 'decline';
  const namesOf = (guest: Schemas['Guest']) => {
    const place = placeOf(guest);
    return { guest: fullName(guest), code: guest.code, place: place ? t('place', place) : t('noPlace') };
  };
  /** The sentence for the error; after a conflict also how the guest stands now, and who was faster. */
  const refusalText = (error: unknown) => {
    const now = error instanceof ConflictError ? error.problem.guest : undefined;
    const state = now ? t('decide.nowIs', { status: t(`status.${now.status}`) }) : '';
    return [errorText(error), state, changedBy(error)].filter(Boolean).join(' ');
  };
  return (
    <ConfirmMutation
      danger
      subject={subject}
      title={(guest) => t(isDecline ? 'decide.declineTitle' : 'decide.dischargeTitle', namesOf(guest))}
      confirmLabel={t(isDecline ? 'decline' : 'discharge')}
      note={
        given === undefined
          ? { label: t('decide.feedback'), description: t('decide.feedbackHint'), maxLength: MAX_FEEDBACK }
          : undefined
      }
      run={(guest, typed) =>
        update.mutateAsync({
          guestId: guest.id,
          siteId: guest.siteId,
          status: isDecline ? 'REJECTED' : 'DISCHARGED',
          bedId: null,
          version: guest.version,
          feedback: given ?? typed,
        })
      }
      isWaiting={open !== undefined && open.state !== 'sending'}
      done={(guest) => t(isDecline ? 'decide.declined' : 'decide.discharged', namesOf(guest))}
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
          <Text>{t(isDecline ? 'decide.declineText' : 'decide.dischargeText', namesOf(guest))}</Text>
          {given ? <Text>{t('decide.withFeedback', { feedback: given })}</Text> : null}
          <CommandWait state={open?.state} />
        </>
      )}
    </ConfirmMutation>
  );
}
