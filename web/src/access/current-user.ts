import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { UnauthorizedError } from '@/api/errors';
import { pendingSignOut, signOutOnServer } from './sign-out';
import { type CurrentUser, nextSignInStep, toCurrentUser } from './user';

/**
 * What a page finds when it starts: a first step in which password or phone are yet to be chosen, and which it did not begin.
 * Somebody left the page that did, and whoever sits there now must not choose. That page may be loaded again, by its user or by
 * a phone that had dropped it while another app was open.
 */
function wasLeft(user: CurrentUser): boolean {
  const [start] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isSamePage = start?.type === 'reload' || (document as { wasDiscarded?: boolean }).wasDiscarded;
  return !isSamePage && /password|setup/.test(nextSignInStep(user));
}

/** Who is signed in; null when nobody is. Loaders use `ensureQueryData(currentUserQuery)`. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: async ({ signal, client: queryClient, queryKey }): Promise<CurrentUser | null> => {
    const pending = pendingSignOut();
    if (pending) await signOutOnServer(pending);
    try {
      const info = await unwrap(client.GET('/connect/userinfo', { params: { query: { orNobody: true } }, signal }));
      const user = info && toCurrentUser(info);
      if (!user || queryClient.getQueryState(queryKey)?.dataUpdateCount || !wasLeft(user)) return user ?? null;
      await signOutOnServer('sign-out').catch(() => undefined);
      return null;
    } catch (error) {
      if (error instanceof UnauthorizedError) return null;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
  retry: false,
});
