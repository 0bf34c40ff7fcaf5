import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from '@/access/end-session';
import { client, unwrap } from '@/api/client';

/**
 * Ends the session here and on the server. A session that is over already is no error; a server that cannot be reached
 * is one, because the cookie still opens the session then.
 */
export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (reason: 'sign-out' | 'idle') => signOut(queryClient, reason),
  });
}

/** Tells the server that the user is still there: its idle limit starts again. */
export async function extendSession(): Promise<void> {
  await unwrap(client.POST('/connect/extend'));
}
