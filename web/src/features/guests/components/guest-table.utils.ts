import type { Schemas } from '@/api/client';

type Guest = Schemas['Guest'];

/** Guests who have a bed; the others are reservations. */
export function assignedGuests(guests: readonly Guest[]): readonly Guest[] {
  return guests.filter(({ status }) => status === 'accepted' || status === 'reassigned');
}
