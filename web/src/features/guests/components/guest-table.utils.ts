import type { Schemas } from '@/api/client';
import { hasBed } from '../ui/guest-facts.utils';

type Guest = Schemas['Guest'];

/** Guests who have a bed; the others are reservations. */
export function assignedGuests(guests: readonly Guest[]): readonly Guest[] {
  return guests.filter(hasBed);
}
