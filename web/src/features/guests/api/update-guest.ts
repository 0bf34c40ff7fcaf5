import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { fullName } from '../ui/guest-facts.utils';
import { usePlacedText } from '../ui/use-placed-text';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useIsShown } from '@/components/use-is-shown';
import { guestCommands, type GuestUpdate } from './guest-commands';
import { guestKeys } from './keys';
import { noteOwnArrival } from './own-arrivals';
import { withPlacementReason } from './placement-reasons';
import { withGuest } from './with-guest';

type Guest = Schemas['Guest'];

/**
 * Accepts, reassigns, swaps, declines or discharges a guest or takes a decision back, and resolves when the server has answered, however long
 * that takes. Afterwards, and after a refusal too, the guests and beds of the site are loaded again (spec B section 4).
 * A 409 or 412 carries the guest as it now is, which is kept.
 */
async function updateGuest(queryClient: QueryClient, update: GuestUpdate): Promise<Guest> {
  const keep = (guest: Guest) => {
    // The answer to a repeated command may be older than what others have changed since.
    const known = queryClient.getQueryData<Guest>(guestKeys.one(guest.id));
    if (known && known.version > guest.version) return;
    queryClient.setQueryData(guestKeys.one(guest.id), guest);
    queryClient.setQueryData<readonly Guest[]>(
      guestKeys.list(guest.siteId),
      (guests) => guests && withGuest(guests, guest),
    );
  };
  const noteAnswer =
    update.status === 'UNDO' && !guestCommands.isRepeat(update) ? noteOwnArrival(update.siteId) : undefined;
  try {
    const guest = await withPlacementReason(update, (command) => guestCommands.send(command));
    keep(guest);
    // After an undone discharge the guest has a bed and does not wait.
    noteAnswer?.(guest.status === 'pending');
    return guest;
  } catch (error) {
    noteAnswer?.(false);
    if (error instanceof ConflictError && error.problem.guest) keep(error.problem.guest);
    throw error;
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['sites', update.siteId] });
    void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    void queryClient.invalidateQueries({ queryKey: ['today'] });
    void queryClient.invalidateQueries({ queryKey: guestKeys.one(update.guestId), refetchType: 'none' });
  }
}

/**
 * `updateGuest` for a screen. When the screen is gone by the time the outcome is known, a message tells it, since
 * callbacks of the screen would tell nobody; `tellsWhenGone: false` for callers whose callbacks do.
 */
export function useUpdateGuest({ tellsWhenGone = true } = {}) {
  const queryClient = useQueryClient();
  const tell = useOutcomeMessages();
  const isShown = useIsShown();
  const isToldHere = () => tellsWhenGone && !isShown();
  return useMutation({
    mutationFn: (update: GuestUpdate) => updateGuest(queryClient, update),
    onSuccess: (guest) => {
      if (isToldHere()) tell.success(guest);
    },
    onError: (error) => {
      if (isToldHere()) tell.failure(error);
    },
  });
}

function useOutcomeMessages() {
  const { t } = useTranslation('guests');
  const errorText = useErrorText();
  const placedText = usePlacedText();
  return {
    success: (guest: Guest) => {
      const names = { guest: fullName(guest) };
      if (guest.status === 'rejected') toast.success(t('decide.declined', names));
      else if (guest.status === 'pending') toast.success(t('undo.declineDone', names));
      else if (guest.room && guest.bed) toast.success(placedText(guest));
      else toast.success(t('outcome.discharged', names));
    },
    failure: (error: Error) => {
      const guest = error instanceof ConflictError ? error.problem.guest : undefined;
      const reason = errorText(error);
      toast.error(guest ? t('outcome.refused', { guest: fullName(guest), reason }) : reason);
    },
  };
}
