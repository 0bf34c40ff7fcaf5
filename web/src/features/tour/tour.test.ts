import { expect, it } from 'vitest';
import en from '@/i18n/locales/en/tour.json';
import { PLACES, placesOf, screenOf, TOUR_SCREENS } from './tour.utils';

it.each([
  ['/organizations', 'list'],
  ['/free-rehabs', 'freeRehabs'],
  ['/paid-rehabs', 'paidRehabs'],
  ['/paid-rehabs/o-1', 'organization'],
  ['/organizations/o-1/s-1', 'site'],
  ['/organizations/o-1/insurances', 'insurers'],
  ['/organizations/o-1/numbers', 'numbers'],
  ['/insurances', 'allInsurers'],
  ['/sites', 'sites'],
  ['/sites/s-1', 'site'],
  ['/sites/s-1/edit', 'siteEdit'],
  ['/sites/new/o-1', 'newSite'],
  ['/reservations', 'reservations'],
  ['/reservations/s-1', 'reservations'],
  ['/reservations/guest/s-1/g-1', 'guest'],
  ['/reservations-request/g-1', 'request'],
  ['/user-management', 'managedSites'],
  ['/user-management/s-1', 'siteUsers'],
  ['/user-settings', 'profile'],
  ['/dashboard', 'dashboard'],
  ['/dashboard/free-rehabs', 'dashboard'],
  ['/logs', 'auditLog'],
  ['/history/s-1', 'history'],
  ['/cards/o-1', 'cards'],
  ['/payment-details/o-1', 'billing'],
  ['/something-new', 'other'],
])('%s is the screen %s', (path, screen) => expect(screenOf(path)).toBe(screen));

it('every screen and every place has its words, and nothing else has', () => {
  expect(Object.keys(en.screen).toSorted()).toEqual(TOUR_SCREENS.toSorted());
  expect(Object.keys(en.place).toSorted()).toEqual(Object.keys(PLACES).toSorted());
  const used = new Set(TOUR_SCREENS.flatMap(placesOf));
  expect([...used].toSorted()).toEqual(Object.keys(PLACES).toSorted());
});

it('no place is explained twice on a screen', () => {
  const twice = TOUR_SCREENS.filter((screen) => {
    const selectors = placesOf(screen).map((place) => PLACES[place]);
    return new Set(selectors).size < selectors.length;
  });
  expect(twice).toEqual([]);
});
