import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestKeys } from './keys';
import { withGuest } from './with-guest';

/** Sets or removes the day on which a guest is expected to leave; a 412 says that the guest has changed since `version`. */
export function useSaveDeparture({ id, siteId }: Pick<Schemas['Guest'], 'id' | 'siteId'>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['GuestDeparture']) =>
      unwrap(client.PUT('/api/Guests/{id}/departure', { params: { path: { id } }, body })),
    onSuccess: (guest) => {
      queryClient.setQueryData(guestKeys.one(id), guest);
      queryClient.setQueryData<readonly Schemas['Guest'][]>(
        guestKeys.list(siteId),
        (guests) => guests && withGuest(guests, guest),
      );
    },
    // After an error, too: the guest may have changed.
    onError: () => void queryClient.invalidateQueries({ queryKey: guestKeys.one(id) }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
      void queryClient.invalidateQueries({ queryKey: ['today'] });
    },
  });
}
