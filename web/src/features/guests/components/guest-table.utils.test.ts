import { describe, expect, it } from 'vitest';
import { guest } from '@/testing/bed-builders';
import { placeOf } from '../ui/guest-facts.utils';
import { assignedGuests } from './guest-table.utils';

describe('assignedGuests', () => {
  it('are those with a bed: accepted and reassigned', () => {
    const statuses = ['pending', 'accepted', 'reassigned', 'rejected', 'discharged', 'expired'] as const;
    const guests = statuses.map((status) => guest(status, { status }));
    expect(assignedGuests(guests).map(({ id }) => id)).toEqual(['accepted', 'reassigned']);
  });
});

describe('placeOf', () => {
  const room = { id: 'r', name: 'House 1', imagePath: null };
  const bed = { id: 'b', name: 'Detox #1', type: 'Detox', index: 1, imagePath: null } as const;
  it('names house and bed', () => expect(placeOf({ room, bed })).toEqual({ room: 'House 1', bed: 'Detox #1' }));
  it('is null unless both are there', () => {
    expect(placeOf({ room: null, bed })).toBeNull();
    expect(placeOf({ room, bed: null })).toBeNull();
  });
});
