import { describe, expect, it } from 'vitest';
import { bed, guestShort, room } from '@/testing/bed-builders';
import { housesToShow, placementOf } from './placement.utils';

const taken = bed('a', { guest: guestShort('ana') });
const rooms = [
  room('1', [taken, bed('b', { disabled: true })]),
  room('2', [bed('c', { guest: guestShort('ben') }), bed('d')]),
  room('3', [bed('e'), bed('f')]),
];

describe('placementOf', () => {
  it.each([
    ['pending', 'accept'],
    ['accepted', 'reassign'],
    ['reassigned', 'reassign'],
    ['rejected', 'ended'],
    ['discharged', 'ended'],
    ['expired', 'ended'],
  ] as const)('%s guests: %s', (status, placement) => expect(placementOf(status)).toBe(placement));
});

describe('housesToShow', () => {
  const ids = (showsAll: boolean) => housesToShow(rooms, showsAll).map(({ beds }) => beds.map(({ id }) => id).join(''));
  it('leaves out houses without a vacant bed', () => expect(ids(false)).toEqual(['d', 'ef']));
  it('shows all beds when asked', () => expect(ids(true)).toEqual(['ab', 'cd', 'ef']));
  it('leaves out houses without beds', () => expect(housesToShow([room('1', [])], true)).toEqual([]));
});
