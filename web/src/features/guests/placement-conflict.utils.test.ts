import { describe, expect, it } from 'vitest';
import { bed, guest, guestShort, room, service, siteDetails } from '@/testing/bed-builders';
import { placementFacts } from './placement-conflict.utils';

const ben = guestShort('ben', { gender: 'Male' });
const rooms = [
  room('1', [bed('a', { guest: guestShort('ana') })], { meantFor: ['age-18-26'] }),
  room('2', [bed('b'), bed('d', { guest: ben })], { meantFor: ['gender-male'] }),
];
const ana = guest('ana', { assignedBedId: 'a' });
const facts = (
  status: 'REASSIGNED' | 'SWAP',
  bedId: string,
  ...rest: [site?: typeof site, guests?: (typeof ana)[]]
) => {
  const update = { guestId: 'ana', siteId: 's1', status, bedId };
  const { conflicts, ...found } = placementFacts({ guest: ana, update }, ...rest);
  return { ...found, conflicts: conflicts.map((one) => [one.guest.id, one.at.bed.id, ...one.misfits]) };
};
const site = siteDetails(rooms);

describe('what a placement against the rules would do', () => {
  it('is to bring the guest into the bed that was asked for', () =>
    expect(facts('REASSIGNED', 'b', site).conflicts).toEqual([['ana', 'b', 'gender-female']]));

  it('is in a swap to bring both into the bed of the other', () => {
    const known = guest('ben', { age: service('age-over-27', '27 and over', 'Age') });
    const { other, conflicts } = facts('SWAP', 'd', site, [known]);
    expect(other).toBe(ben);
    expect(conflicts).toEqual([
      ['ana', 'd', 'gender-female'],
      ['ben', 'a', 'age-over-27'],
    ]);
  });

  it('counts whom the site is for, though it was not strict when it was loaded', () => {
    const women = siteDetails([room('3', [bed('e')])], { services: [service('gender-male', 'Male', 'Gender')] });
    expect(facts('REASSIGNED', 'e', women).conflicts).toEqual([['ana', 'e', 'gender-female']]);
  });

  it('is not known without the site, nor of a bed that is not there', () => {
    expect(facts('REASSIGNED', 'b')).toEqual({ at: undefined, other: undefined, conflicts: [] });
    expect(facts('SWAP', 'gone', site)).toEqual({ at: undefined, other: undefined, conflicts: [] });
  });
});
