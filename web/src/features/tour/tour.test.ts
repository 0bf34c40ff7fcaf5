import { expect, it } from 'vitest';
import en from '@/i18n/locales/en/tour.json';
import { PLACES, placesOf, screenOf, TOUR_SCREENS } from './tour.utils';

it.each([
  ['organizations', 'list'],
  ['free-rehabs', 'freeRehabs'],
  ['paid-rehabs', 'paidRehabs'],
] as const)('the list at /%s is the screen %s', (organizationType, screen) =>
  expect(screenOf([{ staticData: { screen: 'list' }, params: { organizationType } }])).toBe(screen),
);

it('the innermost route decides, and one that names no screen is explained in general', () => {
  const frame = { staticData: {}, params: {} };
  expect(screenOf([frame, { staticData: { screen: 'history' }, params: {} }])).toBe('history');
  expect(screenOf([frame])).toBe('other');
});

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
