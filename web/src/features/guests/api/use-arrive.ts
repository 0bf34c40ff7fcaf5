import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { fullName, shownStatus } from '../ui/guest-facts.utils';
import { useChangedBy } from '../ui/use-changed-by';
import { useUpdateGuest } from './update-guest';

/**
 * Records that a guest has arrived, and says so with an *Undo*, also when the screen is gone by then. The function keeps
 * its identity.
 */
export function useArrive(): (guest: Schemas['Guest']) => Promise<void> {
  const { t } = useTranslation('guests');
  const errorText = useErrorText();
  const changedBy = useChangedBy();
  const { mutateAsync } = useUpdateGuest({ tellsWhenGone: false });
  return useCallback(
    (arriving) => {
      const [guest, about] = [fullName(arriving), `guest:${arriving.id}`];
      const send = (status: 'ARRIVED' | 'NOT_ARRIVED', { id: guestId, siteId, version }: Schemas['Guest']) =>
        mutateAsync({ guestId, siteId, status, bedId: null, version });
      const undo = (arrived: Schemas['Guest']) =>
        send('NOT_ARRIVED', arrived).then(
          () => toast.success(t('arrival.undone', { guest }), { about }),
          (error: Error) => toast.error(t('undo.refused', { guest, reason: errorText(error) }), { about }),
        );
      return send('ARRIVED', arriving).then(
        (arrived) => toast.success(t('arrival.done', { guest }), { about, undo: { onUndo: () => undo(arrived) } }),
        (error: Error) => {
          const now = error instanceof ConflictError ? error.problem.guest : undefined;
          const state = now && t('decide.nowIs', { status: t(`status.${shownStatus(now)}`) });
          const reason = [errorText(error), state, changedBy(error)].filter(Boolean).join(' ');
          toast.error(t('arrival.refused', { guest, reason }), { about });
        },
      );
    },
    [t, errorText, changedBy, mutateAsync],
  );
}
