import type { Schemas } from '@/api/client';
import { undoableUntil } from '@/features/guests/ui/undo-decision.utils';
import { dateFormat } from '@/lib/date-formats';
import type { TodayFilters } from './api/today-query';

/** How long the user who made a decision can undo it, in milliseconds; the server decides. */
const OWN_UNDO_MILLISECONDS = 10_000;

/** How long a move can be undone by the user who made it, and by those who may undo what others did; epoch milliseconds. */
interface UndoTimes {
  own: number;
  others: number | null;
}

/** The state that a guest has for as long as nothing followed the move. */
const STATE_AFTER: Partial<Record<Schemas['TodayMove']['kind'], Schemas['GuestStatus']>> = {
  accepted: 'accepted',
  declined: 'rejected',
  discharged: 'discharged',
};

/** Returns until when a move can be undone. Null for swaps, cancellations, expiries, and moves that another change followed. */
export function undoTimes({ kind, at, guest, from, to }: Schemas['TodayMove']): UndoTimes | null {
  if (kind === 'moved') {
    const isLatest = guest.status === 'reassigned' && guest.assignedBedId === to?.bedId && guest.reassignedAt === at;
    return isLatest && from ? { own: Date.parse(at) + OWN_UNDO_MILLISECONDS, others: null } : null;
  }
  // An accept ends with the arrival, which somebody may have recorded within the ten seconds.
  const hasArrived = kind === 'accepted' && guest.arrivedAt !== null;
  if (hasArrived || guest.cancelledAt !== null || STATE_AFTER[kind] !== guest.status) return null;
  return { own: Date.parse(at) + OWN_UNDO_MILLISECONDS, others: undoableUntil(guest) };
}

/** Returns true if the expected departure ends the stay, and not the maximum of the site, which is later or not there. */
export function isByDeparture({ guest, daysLeft, maximumStayDays }: Schemas['TodayStay']): boolean {
  return maximumStayDays === null || daysLeft < maximumStayDays - guest.daysStayed;
}

/** The time of day in the site's time zone, which is named: `2:30 PM PST`. */
export function timeOfDay(instant: string, language: string, timeZone: string): string {
  return dateFormat(language, {
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone,
    timeZoneName: 'short',
  }).format(Date.parse(instant));
}

/** Returns true if something is left out of what is shown. */
export function hasFilters({ siteId, service, payer }: TodayFilters): boolean {
  return siteId !== undefined || service !== undefined || payer !== undefined;
}
