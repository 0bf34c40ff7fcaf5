import type { Schemas } from '@/api/client';
import { isWaiting } from '@/components/guest-facts/hold.utils';

type Guest = Schemas['Guest'];

/** The reservations that wait for a decision now; those whose hold has ended are not listed (spec B section 2). */
export function waitingReservations(guests: readonly Guest[], now: number): readonly Guest[] {
  return guests.filter((guest) => isWaiting(guest, now));
}

/** Whether a guest may be added: more vacant beds than reservations (spec B section 4, New Guest availability). */
export function hasFreePlace(counts: Pick<Schemas['SiteCounts'], 'vacant' | 'pending'>): boolean {
  return counts.vacant > counts.pending;
}
