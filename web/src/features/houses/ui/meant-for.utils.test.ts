import { describe, expect, it } from 'vitest';
import { inOrder, misfitsOf } from './meant-for.utils';

const woman = { gender: 'Female', age: { id: 'age-18-26' }, typeOfClient: { id: 'adults' } } as const;

describe('what speaks against a guest in a house', () => {
  it.each([
    ['nothing, where the house has no rules', [], []],
    ['nothing, where each category allows the guest', ['gender-female', 'age-18-26', 'adults', 'veterans'], []],
    ['the gender', ['gender-male'], ['gender-female']],
    ['age and type of client', ['gender-female', 'age-over-27', 'veterans'], ['age-18-26', 'adults']],
  ])('is %s', (_, meantFor, misfits) => expect(misfitsOf({ meantFor }, woman)).toEqual(misfits));

  it('is not an age that is not known', () =>
    expect(misfitsOf({ meantFor: ['age-over-27'] }, { gender: 'Female' })).toEqual([]));

  it('is the gender of a guest who is neither, in a house for women', () =>
    expect(misfitsOf({ meantFor: ['gender-female'] }, { gender: 'Other' })).toEqual(['gender-other']));
});

it('the ids are named by gender, age and type of client', () =>
  expect(inOrder(['adults', 'age-over-27', 'age-18-26', 'gender-female'])).toEqual([
    'gender-female',
    'age-18-26',
    'age-over-27',
    'adults',
  ]));
