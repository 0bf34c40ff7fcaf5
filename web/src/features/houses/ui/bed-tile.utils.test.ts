import { describe, expect, it } from 'vitest';
import type { Schemas } from '@/api/client';
import { bedState, bedTypeKey, shownBedState, splitBedName } from './bed-tile.utils';
import { isVacant } from './beds.utils';

const guest = { id: 'g' } as Schemas['GuestShort'];

describe('bedState', () => {
  it('is vacant without a guest', () => expect(bedState({ disabled: false, guest: null })).toBe('vacant'));
  it('is occupied with one', () => expect(bedState({ disabled: false, guest })).toBe('occupied'));
  it('is disabled when switched off', () => expect(bedState({ disabled: true, guest: null })).toBe('disabled'));
  it('shows the guest even of a disabled bed, so that nobody is overlooked', () =>
    expect(bedState({ disabled: true, guest })).toBe('occupied'));
});

describe('shownBedState', () => {
  it('is arriving while the guest has not come yet, which counts as occupied', () => {
    const bed = { disabled: false, offeredUntil: null, guest: { ...guest, isArriving: true } };
    expect(shownBedState(bed)).toBe('arriving');
    expect(bedState(bed)).toBe('occupied');
  });
  it('is offered while a person on the waitlist may take the vacant bed', () => {
    const bed = { disabled: false, offeredUntil: '2026-11-27T10:00:00.000Z', guest: null };
    expect(shownBedState(bed)).toBe('offered');
    expect(bedState(bed)).toBe('vacant');
    expect(isVacant(bed)).toBe(false);
  });
  it('is the state of the bed otherwise', () => {
    expect(shownBedState({ disabled: false, offeredUntil: null, guest })).toBe('occupied');
    expect(shownBedState({ disabled: true, offeredUntil: null, guest: null })).toBe('disabled');
  });
});

describe('bedTypeKey', () => {
  it.each([
    ['Detox', 'detox'],
    ['Treatment', 'treatment'],
    ['Sober Living', 'sober-living'],
  ] as const)('names %s', (type, key) => expect(bedTypeKey(type)).toBe(key));
});

describe('splitBedName', () => {
  it.each([
    ['Sober Living #12', 'Sober Living', ' #12'],
    ['Upper bunk 3', 'Upper bunk', ' 3'],
    ['Garden room', 'Garden room', ''],
    ['#7', '#7', ''],
    ['Room 2 left', 'Room 2 left', ''],
  ])('%s', (name, words, number) => expect(splitBedName(name)).toEqual({ words, number }));
});
