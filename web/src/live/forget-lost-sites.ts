import type { QueryClient } from '@tanstack/react-query';
import { ForbiddenError, NotFoundError } from '@/api/errors';
import { lostSites } from '@/lib/lost-sites';

/**
 * Takes a site off the screen that the server no longer shows: it was deleted, or the user's access to it has ended. A query
 * keeps what it has when it cannot be loaded again, so a colleague's names would stay, and beds that nobody can fill. Until the
 * returned function is called.
 */
export function forgetLostSites(queryClient: QueryClient): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    const { queryKey, state } = event.query;
    if (queryKey[0] !== 'sites' || queryKey[2] !== 'details' || state.data === undefined) return;
    const { error } = event.action;
    if (!(error instanceof NotFoundError || error instanceof ForbiddenError)) return;
    // Forms that go with it say so.
    lostSites.count += 1;
    // Pages that show it load it again, are refused, and say so.
    void queryClient.resetQueries({ queryKey: queryKey.slice(0, 2) });
  });
}
