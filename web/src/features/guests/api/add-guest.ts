import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestKeys } from './keys';
import { withGuest } from './with-guest';

/** A guest to add, with the key of the form instance it comes from: a repeated send adds the guest once. */
export interface GuestToAdd {
  body: Schemas['NewGuest'];
  idempotencyKey: string;
}

/** Adds a guest by hand (spec B section 7). A 409 has the code `third-reservation` or `no-vacant-beds`. */
export function useAddGuest(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: GuestToAdd) =>
      unwrap(
        client.POST('/api/Guests', {
          body,
          headers: { 'Idempotency-Key': idempotencyKey },
        }),
      ),
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
