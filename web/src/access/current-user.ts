import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { UnauthorizedError } from '@/api/errors';
import { pendingSignOut, signOutOnServer } from './sign-out';
import { type CurrentUser, toCurrentUser } from './user';

/** Who is signed in; null when nobody is. Loaders use `ensureQueryData(currentUserQuery)`. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    const pending = pendingSignOut();
    if (pending) await signOutOnServer(pending);
    try {
      const info = await unwrap(client.GET('/connect/userinfo', { params: { query: { orNobody: true } }, signal }));
      return info ? toCurrentUser(info) : null;
    } catch (error) {
      if (error instanceof UnauthorizedError) return null;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
  retry: false,
});
