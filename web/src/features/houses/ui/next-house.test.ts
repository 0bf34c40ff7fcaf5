import { expect, it } from 'vitest';
import { nextHouse } from './next-house';

it.each([
  [[], 1],
  [[{ name: 'House #1' }], 2],
  [[{ name: 'Garden' }], 2],
  [[{ name: 'North' }, { name: 'House #3' }], 4],
])('the next house of %j is number %d', (rooms, number) => expect(nextHouse(rooms)).toBe(number));
