import { expect, it } from 'vitest';
import { bed, guestShort, room } from '@/testing/bed-builders';
import { bedsOfType, typesOf } from './bed-types.utils';

const rooms = [
  room('1', [
    bed('a', { type: 'Treatment', guest: guestShort('ana') }),
    bed('b', { type: 'Detox' }),
    bed('c', { type: 'Treatment', disabled: true }),
    bed('d', { type: 'Treatment' }),
  ]),
  room('2', [bed('e', { type: 'Detox' })]),
];

it('the types of a site are listed once, in the order of lists', () =>
  expect(typesOf(rooms)).toEqual(['Detox', 'Treatment']));

it('the beds of a type have their own counts, and houses without any are left out', () => {
  const [house, ...others] = bedsOfType(rooms, 'Treatment');
  expect(others).toEqual([]);
  expect(house?.beds.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  expect(house).toMatchObject({ bedsCount: 3, vacantBedsCount: 1, occupiedBedsCount: 1, disabledBedsCount: 1 });
});

it('without a type, the houses stay the same objects, so that no tile is drawn again', () =>
  expect(bedsOfType(rooms, undefined)).toBe(rooms));
