import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@/api/client';
import { type GuestToAdd, guestCommands } from './guest-commands';
import { guestKeys } from './keys';
import { noteOwnArrival } from './own-arrivals';
import { withGuest } from './with-guest';

/** Adds a guest by hand (spec B section 7). A 409 has the code `third-reservation` or `no-vacant-beds`. */
export function useAddGuest(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (guest: GuestToAdd) => guestCommands.add(guest).finally(noteOwnArrival(siteId)),
    onSuccess: (guest) =>
      queryClient.setQueryData<readonly Schemas['Guest'][]>(
        guestKeys.list(siteId),
        (guests) => guests && withGuest(guests, guest),
      ),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
      void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    },
  });
}
