import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { routeTree } from '@/routeTree.gen';
import { leaveLinkPage } from '@/lib/link-token';
import { ErrorScreen, NotFoundScreen } from './error-screens';
import { PageSkeleton } from '@/components/skeletons';

/** The router with its guards' context. Loaders fill the query cache; the router itself keeps nothing. */
export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    defaultPendingComponent: PageSkeleton,
    scrollRestoration: true,
  });
  router.subscribe('onBeforeLoad', ({ toLocation }) => leaveLinkPage(toLocation.pathname));
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
