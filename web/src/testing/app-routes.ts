import { QueryClient } from '@tanstack/react-query';
import { createAppRouter } from '@/app/router';

/** Every route of the signed-in app, with what it says of its screen. */
export const APP_ROUTES = Object.values(createAppRouter(new QueryClient()).routesById).filter(({ id }) =>
  id.startsWith('/_app/'),
);
