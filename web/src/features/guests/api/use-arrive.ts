import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { fullName } from '../ui/guest-facts.utils';
import { useRefusalText } from '../ui/use-refusal-text';
import { useUpdateGuest } from './update-guest';

/**
 * Records that a guest has arrived, and says so with an *Undo*, also when the screen is gone by then. The function keeps
 * its identity.
 */
export function useArrive(): (guest: Schemas['Guest']) => Promise<void> {
  const { t } = useTranslation('guests');
  const refusalText = useRefusalText();
  const { mutateAsync } = useUpdateGuest({ tellsWhenGone: false });
  return useCallback(
    (arriving) => {
      const [guest, about] = [fullName(arriving), `guest:${arriving.id}`];
      const send = (status: 'ARRIVED' | 'NOT_ARRIVED', { id: guestId, siteId, version }: Schemas['Guest']) =>
        mutateAsync({ guestId, siteId, status, bedId: null, version });
      const undo = (arrived: Schemas['Guest']) =>
        send('NOT_ARRIVED', arrived).then(
          () => toast.success(t('arrival.undone', { guest }), { about }),
          (error: Error) => toast.error(t('undo.refused', { guest, reason: refusalText(error) }), { about }),
        );
      return send('ARRIVED', arriving).then(
        (arrived) => toast.success(t('arrival.done', { guest }), { about, undo: { onUndo: () => undo(arrived) } }),
        (error: Error) => toast.error(t('arrival.refused', { guest, reason: refusalText(error) }), { about }),
      );
    },
    [t, refusalText, mutateAsync],
  );
}
