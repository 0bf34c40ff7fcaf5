import { describe, expect, it } from 'vitest';
import type { Schemas } from '@/api/client';
import { guest, service as anyService, siteDetails } from '@/testing/bed-builders';
import { choicesOf, isServed, missingFor, notServed, paymentMethods } from './offer.utils';

type Service = Schemas['Service'];

const service = (id: string, category: Service['category']) => anyService(id, id, category);
const groups: Schemas['ServiceGroups'] = {
  age: [service('age-under-18', 'Age'), service('age-18-26', 'Age')],
  gender: [service('gender-male', 'Gender'), service('gender-female', 'Gender'), service('gender-other', 'Gender')],
  client: [service('adults', 'Client'), service('veterans', 'Client')],
  general: [service('detox', 'General'), service('prenatal', 'General')],
  disability: [service('hearing', 'Disability')],
};
const adults = siteDetails([], {
  services: [service('detox', 'General'), service('age-18-26', 'Age'), service('gender-female', 'Gender')],
});
const wanted = { gender: 'Female', ageServiceId: 'age-18-26', serviceIds: ['detox'], typeOfClientServiceId: 'adults' };
const ids = (services: readonly Service[]) => services.map(({ id }) => id);

it('what a guest needs and the site does not offer is named: gender, age, type of client, services', () => {
  const services = [service('detox', 'General'), service('prenatal', 'General')];
  const fits = guest('g', { gender: 'Female', age: service('age-18-26', 'Age'), services: services.slice(0, 1) });
  expect(missingFor(adults, fits)).toEqual([]);
  const misfit = { ...fits, gender: 'Male' as const, age: service('age-under-18', 'Age'), services };
  expect(ids(missingFor(adults, misfit))).toEqual(['gender-male', 'age-under-18', 'prenatal']);
  expect(missingFor({ services: [] }, misfit)).toEqual([]);
});

describe('what a site serves', () => {
  it('is what it chose, and all of a group of which it chose nothing', () => {
    expect(isServed(adults, service('detox', 'General'))).toBe(true);
    expect(isServed(adults, service('prenatal', 'General'))).toBe(false);
    expect(isServed(adults, service('veterans', 'Client'))).toBe(true);
  });
  it('comes first, the others apart', () => {
    const { served, others } = choicesOf(adults, groups.general);
    expect([ids(served), ids(others)]).toEqual([['detox'], ['prenatal']]);
    expect(ids(choicesOf(adults, groups.client).others)).toEqual([]);
  });
});

describe('what a form asks for and the site does not serve', () => {
  it('is empty while all is served', () => expect(notServed(adults, groups, wanted)).toEqual([]));
  it('names gender, age, services and disabilities', () => {
    const site = { ...adults, services: [...adults.services, service('sight', 'Disability')] };
    const form = { ...wanted, gender: 'Male', ageServiceId: 'age-under-18', serviceIds: ['prenatal', 'hearing'] };
    expect(ids(notServed(site, groups, form))).toEqual(['gender-male', 'age-under-18', 'prenatal', 'hearing']);
  });
  it('knows types of client at commercial sites only', () => {
    const site = { ...adults, services: [...adults.services, service('adults', 'Client')] };
    const form = { ...wanted, typeOfClientServiceId: 'veterans' };
    expect(ids(notServed(site, groups, form))).toEqual(['veterans']);
    expect(ids(notServed({ ...site, isCommercial: false }, groups, form))).toEqual([]);
  });
});

describe('ways to pay', () => {
  const methods: Schemas['SiteDetails']['organizationReservationPaymentMethods'] = [
    { id: 1, name: 'Private pay', category: 'PrivatePay' },
    { id: 2, name: 'Insurance', category: 'Insurance' },
  ];
  it('leave out insurance without an insurer', () => {
    const site = siteDetails([], { organizationReservationPaymentMethods: methods });
    expect(paymentMethods(site).map(({ id }) => id)).toEqual([1]);
    const insured = { ...site, insuranceCompanies: [{ id: 'i1', name: 'M', logoPath: null, isPrimary: false }] };
    expect(paymentMethods(insured).map(({ id }) => id)).toEqual([1, 2]);
  });
});
