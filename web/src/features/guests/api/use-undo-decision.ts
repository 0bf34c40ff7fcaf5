import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { fullName } from '../ui/guest-facts.utils';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useIsShown } from '@/components/use-is-shown';
import { useUpdateGuest } from './update-guest';

type Decided = Pick<Schemas['Guest'], 'id' | 'siteId' | 'status' | 'version'>;

/**
 * Takes the accept, the decline or the discharge of a guest back, and says what came of it, also when the screen is gone by then.
 * `update` tells how far the last try has got. With `showsErrors`, the screen shows its error while it is there.
 */
export function useUndoDecision({ showsErrors = false } = {}) {
  const { t } = useTranslation('guests');
  const errorText = useErrorText();
  const update = useUpdateGuest({ tellsWhenGone: false });
  const { mutateAsync } = update;
  const isShown = useIsShown();
  const isShownHere = () => showsErrors && isShown();
  const doneText = (back: Schemas['Guest'], was: Decided['status']) => {
    const guest = fullName(back);
    if (was === 'accepted') return t('undo.acceptDone', { guest });
    if (!back.room || !back.bed) return t('undo.declineDone', { guest });
    const place = t('place', { room: back.room.name, bed: back.bed.name });
    return t(back.isArriving ? 'undo.noShowDone' : 'undo.dischargeDone', { guest, place });
  };
  const undo = ({ id: guestId, siteId, status, version }: Decided, guest: string) => {
    const about = `guest:${guestId}`;
    return mutateAsync({ guestId, siteId, status: 'UNDO', bedId: null, version }).then(
      (back) => toast.success(doneText(back, status), { about }),
      (error: Error) => {
        // Where the error stands beside the button, a message would say it twice.
        if (!isShownHere()) toast.error(t('undo.refused', { guest, reason: errorText(error) }), { about });
      },
    );
  };
  return { undo, update };
}
