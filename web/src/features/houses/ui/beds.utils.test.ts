import { describe, expect, it } from 'vitest';
import { bed, guestShort, room } from '@/testing/bed-builders';
import { findBed, isVacant, nextFreeBed } from './beds.utils';

const taken = bed('a', { guest: guestShort('ana') });
const rooms = [
  room('1', [taken, bed('b', { disabled: true })]),
  room('2', [bed('c', { guest: guestShort('ben') }), bed('d')]),
  room('3', [bed('e'), bed('f')]),
];

describe('isVacant', () => {
  it('is an enabled bed without a guest', () => {
    expect(isVacant(bed('x'))).toBe(true);
    expect(isVacant(bed('x', { disabled: true }))).toBe(false);
    expect(isVacant(taken)).toBe(false);
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
  const offered = (...ids: Parameters<typeof nextFreeBed> extends [unknown, ...infer Rest] ? Rest : never) =>
    nextFreeBed(rooms, ...ids)?.bed.id;
  it('is the closest vacant bed in the order of the board', () => {
    expect(offered('c')).toBe('d');
    expect(offered('a')).toBe('d');
    expect(offered('f')).toBe('e');
  });
  it('is the closest one of another house before a distant one of the same house', () => {
    const full = (id: string) => bed(id, { guest: guestShort(`guest-${id}`) });
    const houses = [room('1', [bed('far'), full('x'), full('y'), full('lost')]), room('2', [bed('close')])];
    expect(nextFreeBed(houses, 'lost')?.bed.id).toBe('close');
  });
  it('is the later of two equally close ones', () => {
    const houses = [room('1', [bed('before'), bed('lost', { disabled: true }), bed('after')])];
    expect(nextFreeBed(houses, 'lost')?.bed.id).toBe('after');
  });
  it('never is the lost bed itself, nor one that is not wanted', () => {
    expect(offered('d')).toBe('e');
    expect(offered('d', (placed) => placed.bed.id === 'f')).toBe('f');
  });
  it('is the first vacant one when the lost bed was removed', () => expect(offered('gone')).toBe('d'));
  it('is nothing when all are taken', () => expect(nextFreeBed([room('1', [taken])], 'a')).toBeUndefined());
});
