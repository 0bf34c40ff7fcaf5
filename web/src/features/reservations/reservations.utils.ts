import type { Schemas } from '@/api/client';
import { byUrgency } from '@/features/guests/ui/hold.utils';
import { dateFormat } from '@/lib/date-formats';

type Guest = Schemas['Guest'];

/**
 * The reservations that wait for a decision, the most urgent first (spec B section 2). Which they are is the server's word: a hold that has ended
 * is not in its answer, and no clock of the browser hides one that is.
 */
export function waitingReservations(guests: readonly Guest[]): readonly Guest[] {
  return guests.filter(({ status }) => status === 'pending').toSorted(byUrgency);
}

/** Whether a guest may be added; `walk-in`: only over held capacity, with a reason. */
export type GuestPlace = 'free' | 'walk-in' | 'full';

/**
 * Whether a guest may be added: more vacant beds than reservations (spec B section 4, New Guest availability), or one
 * vacant bed for who may go over held capacity. A bed that is on offer to a person of the waitlist is promised to that person.
 */
export function placeForGuest(
  { vacant, offered, pending }: Pick<Schemas['SiteCounts'], 'vacant' | 'offered' | 'pending'>,
  mayGoOver: boolean,
): GuestPlace {
  const free = vacant - offered;
  if (free > pending) return 'free';
  return mayGoOver && free > 0 ? 'walk-in' : 'full';
}

/** Date and time in the site's time zone, which is named; the year only when it is another one than now: `Nov 20, 3:48 AM PST`. */
export function shortDateTime(instant: string, language: string, timeZone: string, now: number): string {
  const year = dateFormat('en-US', { year: 'numeric', timeZone });
  const isThisYear = year.format(Date.parse(instant)) === year.format(now);
  return dateFormat(language, {
    ...(isThisYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone,
    timeZoneName: 'short',
  }).format(Date.parse(instant));
}
