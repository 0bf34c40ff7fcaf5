import type { QueryClient } from '@tanstack/react-query';
import type { createAppRouter } from './router';
import { currentUserQuery } from '@/access/current-user';
import { safeReturnPath } from '@/lib/text';

/**
 * The answer to every 401 (spec A section 8): what was known about the user is cleared, and /login keeps the way back.
 * Several refused calls at once lead there once.
 */
export function signedOut(queryClient: QueryClient, router: ReturnType<typeof createAppRouter>): void {
  if (queryClient.getQueryData(currentUserQuery.queryKey) === null) return;
  const returnTo = safeReturnPath(router.state.location.href);
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  void router.navigate({ to: '/login', search: returnTo ? { returnTo } : {} });
}
