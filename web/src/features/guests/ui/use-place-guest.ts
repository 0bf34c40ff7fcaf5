import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Schemas } from '@/api/client';
import { guestKeys } from '../api/keys';

interface PlaceGuestOptions {
  /** Takes the present address out of the way back: that of a dialog about a reservation, which is none any more then. */
  replace?: boolean;
  /** The bed to propose, if it is vacant. */
  bedId?: string | undefined;
}

/** Leads to the page where a guest gets a bed, and carries the guest there. */
export function usePlaceGuest(): (guest: Schemas['Guest'], options?: PlaceGuestOptions) => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useCallback(
    (guest, { replace = false, bedId } = {}) => {
      queryClient.setQueryData(guestKeys.one(guest.id), guest);
      const params = { guestId: guest.id };
      void navigate({ to: '/reservations-request/$guestId', params, search: { bed: bedId }, replace });
    },
    [navigate, queryClient],
  );
}
