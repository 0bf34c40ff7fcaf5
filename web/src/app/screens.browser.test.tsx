import { expect, it } from 'vitest';
import { ENTRIES, entryRoute } from '@/features/shell/navigation';
import { TOUR_SCREENS } from '@/features/tour/tour.utils';
import { APP_ROUTES } from '@/testing/app-routes';

/** Lists of one route, told apart by the type in its address. */
const BY_TYPE = ['freeRehabs', 'paidRehabs'];
/** Routes of the app that show nothing of their own. */
const WITHOUT_SCREEN = [
  // Guards the type in the address.
  '/_app/$organizationType',
  // Leads to the page of the site below its organization.
  '/_app/sites/$siteId/',
];

it('every route of the app names the screen that it shows, and every screen has a route', () => {
  const routes = APP_ROUTES.map(({ id, options }) => ({ id, screen: options.staticData?.screen }));
  expect(routes.filter(({ screen }) => screen === undefined).map(({ id }) => id)).toEqual(WITHOUT_SCREEN);
  const named = new Set<string | undefined>([...routes.map(({ screen }) => screen), ...BY_TYPE, 'other']);
  expect(TOUR_SCREENS.filter((screen) => !named.has(screen))).toEqual([]);
});

it('every screen of the app has a skeleton of its own shape while it loads', () => {
  const shapeless = APP_ROUTES.filter(
    ({ options }) => options.staticData?.screen && options.component && !options.pendingComponent,
  );
  expect(shapeless.map(({ id }) => id)).toEqual([]);
});

it('a screen stands behind each entry of the sidebar', () => {
  const missing = ENTRIES.filter((entry) => entry !== 'list' && !entryRoute(APP_ROUTES, entry));
  expect(missing).toEqual([]);
});
