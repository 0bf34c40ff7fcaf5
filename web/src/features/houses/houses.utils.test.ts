import { describe, expect, it } from 'vitest';
import { bed, guestShort, room } from '@/testing/bed-builders';
import { countBeds, dialogOfBed, dialogOfHouse, draftOf, filterBeds } from './houses.utils';

const occupied = bed('b1', { guest: guestShort('g1') });
const vacant = bed('b2');
const disabled = bed('b3', { disabled: true });
const rooms = [room('r1', [occupied, vacant]), room('r2', [disabled]), room('r3', [])];

describe('countBeds', () => {
  it('counts disabled beds among all beds but never among the vacant', () =>
    expect(countBeds(rooms)).toEqual({ all: 3, vacant: 1, occupied: 1, disabled: 1 }));
});

describe('filterBeds', () => {
  it('leaves all houses as they are, empty ones too', () => expect(filterBeds(rooms, 'all')).toBe(rooms));
  it('keeps only vacant beds and the houses that have some', () =>
    expect(filterBeds(rooms, 'vacant').map(({ id, beds }) => [id, beds.map((one) => one.id)])).toEqual([
      ['r1', ['b2']],
    ]));
  it('keeps only occupied beds', () =>
    expect(filterBeds(rooms, 'occupied').flatMap((house) => house.beds.map((one) => one.id))).toEqual(['b1']));
});

describe('dialogOfHouse', () => {
  it('refuses to delete a house with a guest in it', () =>
    expect(dialogOfHouse(room('r', [occupied]), 'delete').kind).toBe('refuse-house'));
  it('asks before deleting one without guests', () =>
    expect(dialogOfHouse(room('r', [vacant]), 'delete').kind).toBe('delete-house'));
  it('lets an occupied house be renamed and grow', () => {
    expect(dialogOfHouse(room('r', [occupied]), 'edit').kind).toBe('edit-house');
    expect(dialogOfHouse(room('r', [occupied]), 'add-beds').kind).toBe('add-beds');
  });
});

describe('dialogOfBed', () => {
  it.each(['edit', 'disable', 'remove'] as const)('refuses to %s an occupied bed', (action) =>
    expect(dialogOfBed(occupied, action)).toEqual({ kind: 'refuse-bed', bed: occupied, action }),
  );
  it.each([
    ['edit', 'edit-bed'],
    ['disable', 'disable-bed'],
    ['remove', 'remove-bed'],
  ] as const)('opens the dialog to %s a vacant bed', (action, kind) =>
    expect(dialogOfBed(vacant, action).kind).toBe(kind),
  );
});

describe('draftOf', () => {
  it('carries everything the edit call replaces', () =>
    expect(draftOf(bed('b', { description: 'By the window', imagePath: 'bed_1.jpg' }))).toEqual({
      id: 'b',
      version: 1,
      name: 'Bed b',
      type: 'Detox',
      disabled: false,
      description: 'By the window',
      imagePath: 'bed_1.jpg',
    }));
  it('writes missing texts as null', () =>
    expect(draftOf(vacant)).toMatchObject({ description: null, imagePath: null }));
});
