import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { client, type Schemas, unwrap } from '@/api/client';

/** An invitation that waits for the user's answer. */
export type PendingInvitation = Schemas['PendingInvitation'];

/** Invitations that wait for the user's answer. */
export const invitationsQuery = queryOptions({
  queryKey: ['own-invitations'],
  queryFn: ({ signal }) => unwrap(client.GET('/api/Users/invitations', { signal })),
});

/** Accepts or declines an invitation. What the user may see changes with the answer. */
export function useAnswerInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, accepts }: { id: string; accepts: boolean }) => {
      const params = { path: { id } };
      if (accepts) await unwrap(client.POST('/api/Users/invitations/{id}/acceptance', { params }));
      else await unwrap(client.DELETE('/api/Users/invitations/{id}', { params }));
      // Awaited, so that the next screen is judged by the new rights.
      return queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
    },
    onSettled: () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'current-user' }),
  });
}
