import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { fullName } from '@/components/guest-facts/guest-facts.utils';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useUpdateGuest } from '../api/update-guest';
import { placeOf } from './guest-table.utils';

interface DecisionDialogProps {
  guest: Schemas['Guest'];
  /** A pending reservation is declined, a guest in a bed is discharged. */
  kind: 'decline' | 'discharge';
  onClose: () => void;
  /** After the server has agreed. */
  onDone?: () => void;
}

/** Asks before a reservation is declined or a guest discharged; names the guest, takes feedback, tells the result. */
export function DecisionDialog({ guest, kind, onClose, onDone }: DecisionDialogProps) {
  const { t } = useTranslation(['guests', 'common']);
  const errorText = useErrorText();
  const update = useUpdateGuest();
  const [feedback, setFeedback] = useState('');
  const place = placeOf(guest);
  const names = { guest: fullName(guest), code: guest.code, place: place ? t('place', place) : t('noPlace') };
  const isDecline = kind === 'decline';

  const confirm = () => {
    if (update.isPending) return;
    update.mutate(
      {
        guestId: guest.id,
        siteId: guest.siteId,
        status: isDecline ? 'REJECTED' : 'DISCHARGED',
        bedId: null,
        version: guest.version,
        feedback: feedback.trim(),
      },
      {
        onSuccess: () => {
          toast.success(isDecline ? t('decide.declined', names) : t('decide.discharged', names));
          onClose();
          onDone?.();
        },
      },
    );
  };

  return (
    <ConfirmDialog
      opened
      danger
      title={isDecline ? t('decide.declineTitle', names) : t('decide.dischargeTitle', names)}
      confirmLabel={isDecline ? t('decline') : t('discharge')}
      busy={update.isPending}
      error={update.error ? refusalText(update.error, errorText, t) : null}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>{isDecline ? t('decide.declineText', names) : t('decide.dischargeText', names)}</Text>
      <Textarea
        label={t('decide.feedback')}
        description={t('decide.feedbackHint')}
        value={feedback}
        onChange={(event) => setFeedback(event.currentTarget.value)}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={6}
      />
    </ConfirmDialog>
  );
}

/** The server's sentence; after a conflict also how the guest stands now. */
function refusalText(
  error: Error,
  errorText: (error: unknown) => string,
  t: ReturnType<typeof useTranslation<['guests', 'common']>>['t'],
): string {
  const sentence = errorText(error);
  const now = error instanceof ConflictError ? error.problem.guest : undefined;
  return now ? `${sentence} ${t('decide.nowIs', { status: t(`status.${now.status}`) })}` : sentence;
}
