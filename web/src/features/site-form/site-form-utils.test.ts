import { describe, expect, it } from 'vitest';
import { siteDetails } from '@/testing/bed-builders';
import { orderLanguages, screeningChoices } from './languages.utils';
import { placeOfField } from './field-places.utils';
import { emptyRoom, emptySite } from './site-form.schema';
import { bedsOf, fromSite, isSameInSite, toNewSite, toSiteEdit, withCount } from './site-payload.utils';
import { isReachable, type Step, stepOfField, stepsOf } from './steps.utils';

const site = siteDetails([], {
  alias: null,
  contactWeb: 'https://harbor.example',
  images: [
    { imagePath: 'uploads/b.jpg', index: 1 },
    { imagePath: 'uploads/a.jpg', index: 0 },
  ],
  languages: [{ id: 'en', name: 'English' }],
  services: [{ id: 'medical-detox', name: 'Medical detox', category: 'General', type: null }],
  intakePeriods: [{ timePeriod: 'Weekends', enabled: true, from: '09:10:00', to: '17:00:00' }],
  editVersion: 4,
});

describe('steps', () => {
  it('are five, without houses at commercial sites', () => {
    expect(stepsOf(false)).toEqual(['about', 'contacts', 'intake', 'houses', 'services']);
    expect(stepsOf(true)).toEqual(['about', 'contacts', 'intake', 'services']);
  });

  it('know their fields, nested ones too', () => {
    expect(stepOfField('rooms.0.name')).toBe('houses');
    expect(stepOfField('intakePeriods')).toBe('intake');
    expect(stepOfField('unknown')).toBeUndefined();
  });

  it.each<[string, Step[], Step, Step, boolean]>([
    ['the same one', [], 'about', 'about', true],
    ['back', [], 'services', 'about', true],
    ['one on', [], 'about', 'contacts', true],
    ['over one that is not passed', [], 'about', 'intake', false],
    ['over passed ones', ['contacts', 'intake'], 'about', 'houses', true],
  ])('may be opened: %s', (_name, passed, here, target, expected) =>
    expect(isReachable(stepsOf(false), new Set(passed), here, target)).toBe(expected),
  );

  it('a step this site does not have cannot be opened', () =>
    expect(isReachable(stepsOf(true), new Set(), 'services', 'houses')).toBe(false));
});

it.each([
  ['name', 'name'],
  ['placeId', 'address'],
  ['intakePeriods', 'intakePeriods'],
  ['intakePeriods.0.to', 'intakePeriods.0.to'],
  ['intakePeriods.1.timePeriod', 'intakePeriods.1.from'],
  ['rooms.0.name', 'rooms.0.name'],
  ['rooms.1.beds.0.count', 'rooms.1.beds'],
  ['images.2.imagePath', 'images'],
  ['serviceIds.3', 'serviceIds'],
  ['organizationId', undefined],
  ['', undefined],
])('an error of the server about "%s" is shown at %s', (field, place) => expect(placeOfField(field)).toBe(place));

describe('payloads', () => {
  it('of a new site leave out empty texts, types without beds, and houses at commercial sites', () => {
    const house = emptyRoom(' North ');
    const values = {
      ...emptySite({ isCommercial: false }, 'House #1'),
      name: ' Harbor ',
      nonCommercialPaymentMethodIds: ['pp'],
      rooms: [{ ...house, beds: withCount(house.beds, 'Treatment', 2) }],
    };
    expect(toNewSite(values, { isCommercial: false }, 'o1', 'https://berth.example/login/callback')).toMatchObject({
      name: 'Harbor',
      alias: null,
      placeId: null,
      contactWeb: null,
      organizationId: 'o1',
      redirectUri: 'https://berth.example/login/callback',
      insuranceIds: [],
      nonCommercialPaymentMethodIds: ['pp'],
      rooms: [{ name: 'North', imagePath: null, beds: [{ type: 'Treatment', count: 2 }] }],
    });
    expect(toNewSite(values, { isCommercial: true }, 'o1', '')).toMatchObject({
      rooms: [],
      nonCommercialPaymentMethodIds: [],
    });
  });

  it('of a changed site carry the version the form was filled from, and the longest stay; 0 takes it away', () => {
    expect(toSiteEdit({ ...fromSite(site), isDisabled: true }, site)).toMatchObject({
      id: 's1',
      editVersion: 4,
      isDisabled: true,
      lengthOfStayDaysMin: null,
      lengthOfStayDaysMax: 0,
      showDaysOfWeek: true,
      placeId: null,
      images: [
        { imagePath: 'uploads/a.jpg', index: 0 },
        { imagePath: 'uploads/b.jpg', index: 1 },
      ],
    });
    expect(toSiteEdit(fromSite({ ...site, lengthOfStayDaysMax: 90 }), site)).toMatchObject({ lengthOfStayDaysMax: 90 });
  });
});

it('a stored site fills the form, times rounded', () => {
  expect(fromSite(site)).toMatchObject({
    alias: '',
    images: ['uploads/a.jpg', 'uploads/b.jpg'],
    languageIds: ['en'],
    serviceIds: ['medical-detox'],
    screeningPeriod: '01:00:00:00',
    contactWeb: 'https://harbor.example',
  });
  expect(fromSite(site).intakePeriods[1]).toMatchObject({ enabled: true, from: '09:00:00' });
  expect(fromSite({ ...site, alias: 'Old Harbor', contactWeb: null })).toMatchObject({
    alias: 'Old Harbor',
    contactWeb: '',
  });
});

it('the order of ids is no change of a site, that of photos is', () => {
  expect(isSameInSite('serviceIds', ['a', 'b'], ['b', 'a'])).toBe(true);
  expect(isSameInSite('serviceIds', ['a', 'b'], ['a'])).toBe(false);
  expect(isSameInSite('images', ['a', 'b'], ['b', 'a'])).toBe(false);
});

describe('the beds of a house', () => {
  it.each([
    [3, 3],
    [-1, 0],
    [51, 50],
    [2.4, 2],
    [Number.NaN, 0],
  ])('%d of a type become %d', (typed, count) => {
    const beds = withCount([{ type: 'Treatment', count: 1 }], 'Detox', typed);
    expect(beds).toEqual([
      { type: 'Detox', count },
      { type: 'Treatment', count: 1 },
      { type: 'Sober Living', count: 0 },
    ]);
    expect(bedsOf(beds)).toBe(count + 1);
  });
});

describe('choices', () => {
  it('languages begin with English, Spanish and French', () => {
    const named = (all: Record<string, string>) => Object.entries(all).map(([id, name]) => ({ id, name }));
    const english = named({ ar: 'Arabic', fr: 'French', zu: 'Zulu', es: 'Spanish', am: 'Amharic', en: 'English' });
    expect(orderLanguages(english, 'en').map(({ id }) => id)).toEqual(['en', 'es', 'fr', 'am', 'ar', 'zu']);
    const spanish = named({ zh: 'Chino', de: 'Alemán', fr: 'Francés', ar: 'Árabe', es: 'Español', en: 'Inglés' });
    expect(orderLanguages(spanish, 'es').map(({ id }) => id)).toEqual(['en', 'es', 'fr', 'de', 'ar', 'zh']);
  });

  it('screening periods are offered by length, with the stored one', () => {
    const hours = (totalHours: number) => ({ totalHours, value: `00:${totalHours}:00:00` });
    expect(screeningChoices([hours(12), hours(1)], hours(5))).toEqual([hours(1), hours(5), hours(12)]);
    expect(screeningChoices([hours(1)], hours(1))).toEqual([hours(1)]);
    expect(screeningChoices([hours(1)], undefined)).toEqual([hours(1)]);
  });
});
