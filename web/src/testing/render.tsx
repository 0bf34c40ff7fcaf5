import { QueryClient } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { currentUserQuery } from '@/access/current-user';
import type { CurrentUser } from '@/access/user';
import { Providers } from '@/app/providers';
import type { ScreenRoute } from '@/features/shell/navigation';
import { noteUserShown } from '@/lib/session-end';
import { currentUser } from './builders';

interface Options {
  /** Who is signed in; null for nobody. */
  user?: CurrentUser | null;
  /** Address of the screen. */
  path?: string;
  /** The history of the browser, for what only happens there; else one in memory. */
  history?: RouterHistory;
  queryClient?: QueryClient;
  /** Routes of the app, for a view that reads what they say of their screens. Each shows the view. */
  routes?: readonly ScreenRoute[];
}

/**
 * Renders a view with everything it takes for granted: texts, looks, server data, a router in which every address
 * exists. Returns vitest's screen plus the query client and the router, whose `state.location` tells where links led.
 */
export async function renderView(view: ReactNode, options: Options = {}) {
  const queryClient =
    options.queryClient ??
    new QueryClient({
      defaultOptions: { queries: { retry: false }, mutations: { retry: false, networkMode: 'always' } },
    });
  const user = options.user === undefined ? currentUser() : options.user;
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  if (user) noteUserShown();
  const rootRoute = createRootRoute({ component: Outlet });
  const anyRoute = createRoute({ getParentRoute: () => rootRoute, path: '$', component: () => view });
  const indexRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: () => view });
  const appRoutes = (options.routes ?? []).map(({ fullPath: path, options: { staticData = {} } }) =>
    createRoute({ getParentRoute: () => rootRoute, path, component: () => view, staticData }),
  );
  const router = createRouter({
    routeTree: rootRoute.addChildren([indexRoute, anyRoute, ...appRoutes]),
    history: options.history ?? createMemoryHistory({ initialEntries: [options.path ?? '/'] }),
  });
  await router.load();
  // Nothing that is pressed here is the second half of what the test before this one pressed.
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }));
  const screen = await render(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router as never} />
    </Providers>,
  );
  return Object.assign(screen, { queryClient, router });
}
