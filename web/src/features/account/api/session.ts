import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endSession } from '@/access/end-session';
import { signOutOnServer } from '@/access/sign-out';
import { client, unwrap } from '@/api/client';

/**
 * Ends the session here and on the server. A session that is over already is no error; a server that cannot be reached
 * is one, because the cookie still opens the session then.
 */
export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (reason: 'sign-out' | 'idle') => {
      // Here first: names disappear at once, and a 401 to come is then no surprise to anyone.
      endSession(queryClient, reason);
      await signOutOnServer();
    },
  });
}

/** Tells the server that the user is still there: its idle limit starts again. */
export async function extendSession(): Promise<void> {
  await unwrap(client.POST('/connect/extend'));
}
