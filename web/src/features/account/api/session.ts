import { useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { client, unwrap } from '@/api/client';
import { UnauthorizedError } from '@/api/errors';

/** Ends the session on the server and forgets everything that was loaded. A session that is over already is no error. */
export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      // Forgotten first: a 401 to come is then no surprise to anyone.
      queryClient.setQueryData(currentUserQuery.queryKey, null);
      try {
        await unwrap(client.POST('/connect/logout'));
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error;
      }
    },
    onSettled: () => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'public-settings' });
      queryClient.setQueryData(currentUserQuery.queryKey, null);
    },
  });
}

/** Tells the server that the user is still there: its idle limit starts again. */
export async function extendSession(): Promise<void> {
  await unwrap(client.POST('/connect/extend'));
}
