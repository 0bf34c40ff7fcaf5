import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Schemas } from '@/api/client';
import { guestKeys } from '../api/keys';

/**
 * Leads to the page where a guest gets a bed, and carries the guest there. `replace` takes the present address out of the
 * way back: that of a dialog about a reservation, which is no longer one when the user comes back.
 */
export function usePlaceGuest(): (guest: Schemas['Guest'], options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useCallback(
    (guest, { replace = false } = {}) => {
      queryClient.setQueryData(guestKeys.one(guest.id), guest);
      void navigate({ to: '/reservations-request/$guestId', params: { guestId: guest.id }, replace });
    },
    [navigate, queryClient],
  );
}
