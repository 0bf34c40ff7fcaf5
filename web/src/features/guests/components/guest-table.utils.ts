import type { Schemas } from '@/api/client';

type Guest = Schemas['Guest'];

/** Guests who have a bed; the others are reservations. */
export function assignedGuests(guests: readonly Guest[]): readonly Guest[] {
  return guests.filter(({ status }) => status === 'accepted' || status === 'reassigned');
}

/** Where a guest sleeps, for sorting and for one line: null without a bed. */
export function placeOf(guest: Pick<Guest, 'room' | 'bed'>): { room: string; bed: string } | null {
  return guest.room && guest.bed ? { room: guest.room.name, bed: guest.bed.name } : null;
}
