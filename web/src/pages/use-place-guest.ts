import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@/api/client';
import { guestKeys } from '@/features/guests/api/keys';

/** Leads to the page where a guest gets a bed, and carries the guest there. */
export function usePlaceGuest(): (guest: Schemas['Guest']) => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (guest) => {
    queryClient.setQueryData(guestKeys.one(guest.id), guest);
    void navigate({ to: '/reservations-request/$guestId', params: { guestId: guest.id } });
  };
}
