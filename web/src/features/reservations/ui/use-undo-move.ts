import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useUpdateGuest } from '@/features/guests/api/update-guest';
import { fullName } from '@/features/guests/ui/guest-facts.utils';

/** The bed that a guest was moved from. */
interface FormerBed {
  bedId: string;
  roomName: string;
  bedName: string;
}

/** Takes a move back, and says what came of it: the guest returns to the former bed, if it is still free. */
export function useUndoMove(): (moved: Schemas['Guest'], former: FormerBed) => Promise<void> {
  const { t } = useTranslation(['reservations', 'guests']);
  const errorText = useErrorText();
  // Its callbacks tell what came of it though the page is gone when the message's button is pressed.
  const { mutateAsync } = useUpdateGuest({ tellsWhenGone: false });
  return ({ id: guestId, siteId, version, ...moved }, { bedId, roomName, bedName }) => {
    const about = `guest:${guestId}`;
    const guest = fullName(moved);
    const place = t('guests:place', { room: roomName, bed: bedName });
    return mutateAsync({ guestId, siteId, status: 'REASSIGNED', bedId, version }).then(
      () => toast.success(t('request.undone', { guest, place }), { about }),
      (error: Error) => toast.error(t('guests:undo.refused', { guest, reason: errorText(error) }), { about }),
    );
  };
}
