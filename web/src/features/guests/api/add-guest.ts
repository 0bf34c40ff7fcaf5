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
    mutationFn: (guest: GuestToAdd) => addGuest(siteId, guest),
    onSuccess: (guest) =>
      queryClient.setQueryData<readonly Schemas['Guest'][]>(
        guestKeys.list(siteId),
        (guests) => guests && withGuest(guests, guest),
      ),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
      void queryClient.invalidateQueries({ queryKey: ['site-list'] });
      void queryClient.invalidateQueries({ queryKey: ['today'] });
    },
  });
}

async function addGuest(siteId: string, guest: GuestToAdd): Promise<Schemas['Guest']> {
  const noteAnswer = noteOwnArrival(siteId);
  try {
    const added = await guestCommands.add(guest);
    noteAnswer(true);
    return added;
  } catch (error) {
    noteAnswer(false);
    throw error;
  }
}
