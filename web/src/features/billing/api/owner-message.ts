import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

/** The owners who can be asked to start the subscription that a reservation waits for, and when they were last asked. */
export function ownerMessageQuery(guestId: string) {
  return queryOptions({
    queryKey: ['owner-message', guestId],
    queryFn: ({ signal }): Promise<Schemas['OwnerMessage']> =>
      unwrap(client.GET('/api/Subscriptions/owner-message', { params: { query: { guestId } }, signal })),
  });
}

/** Asks the owners by email to start the subscription that a reservation waits for. */
export function useSendOwnerMessage(guestId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(client.POST('/api/Subscriptions/owner-message', { body: { guestId } })),
    onSuccess: (sent) => queryClient.setQueryData(ownerMessageQuery(guestId).queryKey, sent),
  });
}
