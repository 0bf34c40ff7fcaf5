import { describe, expect, it } from 'vitest';
import { bed, guestShort, room } from '@/testing/bed-builders';
import { findBed, housesToShow, isFree, nextFreeBed, placementOf } from './placement.utils';

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

describe('isFree', () => {
  it('is an enabled bed without a guest', () => {
    expect(isFree(bed('x'))).toBe(true);
    expect(isFree(bed('x', { disabled: true }))).toBe(false);
    expect(isFree(taken)).toBe(false);
  });
});

describe('findBed', () => {
  it('finds a bed with its house', () => expect(findBed(rooms, 'd')?.room.id).toBe('2'));
  it('finds nothing for no bed or a removed one', () => {
    expect(findBed(rooms, null)).toBeUndefined();
    expect(findBed(rooms, 'gone')).toBeUndefined();
  });
});

describe('nextFreeBed', () => {
  it('prefers the house of the lost bed', () => expect(nextFreeBed(rooms, 'c')?.bed.id).toBe('d'));
  it('else takes the first free one of the site', () => expect(nextFreeBed(rooms, 'a')?.bed.id).toBe('d'));
  it('never offers the lost bed itself', () => expect(nextFreeBed(rooms, 'd')?.bed.id).toBe('e'));
  it('takes any free bed when the lost one was removed', () => expect(nextFreeBed(rooms, 'gone')?.bed.id).toBe('d'));
  it('is nothing when all are taken', () => expect(nextFreeBed([room('1', [taken])], 'a')).toBeUndefined());
});

describe('housesToShow', () => {
  const ids = (showsAll: boolean) => housesToShow(rooms, showsAll).map(({ beds }) => beds.map(({ id }) => id).join(''));
  it('leaves out houses without a vacant bed', () => expect(ids(false)).toEqual(['d', 'ef']));
  it('shows all beds when asked', () => expect(ids(true)).toEqual(['ab', 'cd', 'ef']));
  it('leaves out houses without beds', () => expect(housesToShow([room('1', [])], true)).toEqual([]));
});
