import { describe, expect, it } from 'vitest';
import { service } from '@/testing/bed-builders';
import { inOrder, misfitsOf, placementRules } from './meant-for.utils';

const woman = { gender: 'Female', age: { id: 'age-18-26' }, typeOfClient: { id: 'adults' } } as const;
const services = [service('gender-male', 'Male', 'Gender'), service('medical-detox', 'Medical detox', 'General')];
const lax = placementRules({ services, strictPlacement: false }, true);

describe('what speaks against a guest in a house', () => {
  it.each([
    ['nothing, where the house has no rules', [], []],
    ['nothing, where each category allows the guest', ['gender-female', 'age-18-26', 'adults', 'veterans'], []],
    ['the gender', ['gender-male'], ['gender-female']],
    ['age and type of client', ['gender-female', 'age-over-27', 'veterans'], ['age-18-26', 'adults']],
  ])('is %s', (_, meantFor, misfits) => expect(misfitsOf({ meantFor }, woman, lax)).toEqual(misfits));

  it('is not an age that is not known', () =>
    expect(misfitsOf({ meantFor: ['age-over-27'] }, { gender: 'Female' }, lax)).toEqual([]));

  it('is the gender of a guest who is neither, in a house for women', () =>
    expect(misfitsOf({ meantFor: ['gender-female'] }, { gender: 'Other' }, lax)).toEqual(['gender-other']));
});

describe('a strict site', () => {
  it('also limits its houses to whom it serves itself', () => {
    const strict = placementRules({ services, strictPlacement: true }, true);
    expect(misfitsOf({ meantFor: [] }, woman, strict)).toEqual(['gender-female']);
    expect(misfitsOf({ meantFor: ['gender-male'] }, woman, strict)).toEqual(['gender-female']);
    expect(misfitsOf({ meantFor: ['age-over-27'] }, { ...woman, gender: 'Male' }, strict)).toEqual(['age-18-26']);
  });

  it.each([
    ['asks for a reason', 'who may override the rules', true, 'needs-reason'],
    ['refuses a placement', 'who may not', false, 'refused'],
  ] as const)('%s of those %s', (_what, _who, mayOverride, breach) =>
    expect(placementRules({ services, strictPlacement: true }, mayOverride).breach).toBe(breach),
  );
});

it('the ids are named by gender, age and type of client', () =>
  expect(inOrder(['adults', 'age-over-27', 'age-18-26', 'gender-female'])).toEqual([
    'gender-female',
    'age-18-26',
    'age-over-27',
    'adults',
  ]));
