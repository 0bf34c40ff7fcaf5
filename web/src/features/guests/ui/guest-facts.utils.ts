import type { Schemas } from '@/api/client';
import { fold } from '@/lib/text';

type Guest = Schemas['Guest'];

/** First name and last initial; the code is added where two may be alike (`displayName`). */
export function fullName(guest: Pick<Guest, 'firstName' | 'lastName'>): string {
  return guest.lastName ? `${guest.firstName} ${guest.lastName}.` : guest.firstName;
}

/** Returns true if a guest in this state has a bed. */
export function hasBed({ status }: Pick<Guest, 'status'>): boolean {
  return status === 'accepted' || status === 'reassigned';
}

/** What decides the state to show. Not every list tells all of it. */
type Stated = Pick<Guest, 'status'> &
  Partial<Pick<Guest, 'cancelledAt' | 'mergedAt' | 'rejectedAt' | 'isArriving' | 'noShowAt'>>;

/** A state of a guest as screens name it: who ended a reservation, and whether the guest came, makes a difference to staff. */
export type ShownStatus = Schemas['GuestStatus'] | 'cancelled' | 'merged' | 'arriving' | 'noShow';

/**
 * Returns the state to show: a reservation that its guest cancelled, or that ended with a merge, is declined for every list, and named for
 * what it is. A guest with a bed may not have come yet, and a discharged one never.
 */
export function shownStatus({ status, isArriving, ...times }: Stated): ShownStatus {
  if (times.cancelledAt) return 'cancelled';
  if (times.mergedAt && times.mergedAt === times.rejectedAt) return 'merged';
  if (times.noShowAt) return 'noShow';
  return isArriving ? 'arriving' : status;
}

/** Returns true if the days of the stay count: the guest neither is still to come nor did not come at all. */
export function hasCome({ isArriving, noShowAt }: Pick<Guest, 'isArriving' | 'noShowAt'>): boolean {
  return !isArriving && noShowAt === null;
}

/** The services a guest needs as one line, each by the name that `nameOf` gives it. */
export function serviceNames(guest: Pick<Guest, 'services'>, nameOf: (service: Schemas['Service']) => string): string {
  return guest.services.map(nameOf).join(', ');
}

/** How a guest pays at a commercial site, as the catalogue tells it. */
export function methodOf(payment: Schemas['GuestPayment']): { category: Schemas['PaymentMethod']; name: string } {
  return { category: payment.reservationPaymentMethodCategory, name: payment.reservationPaymentMethodName };
}

/** From this length on, a typed word is also looked for at the start of codes. */
const MIN_CODE_CHARS = 2;
/** From this length on, a typed word is also looked for inside names. */
const MIN_INNER_CHARS = 3;

/**
 * Returns true if each typed word finds the guest, ignoring case and accents. A word finds a guest by the start of a name
 * or of the last initial; a longer one also by the start of the code or inside a name. One letter never finds a code:
 * "Megan H" is Megan H., not Megan K. with an H in the code. An empty text finds everyone.
 */
export function fitsText(guest: Pick<Guest, 'firstName' | 'lastName' | 'code'>, text: string): boolean {
  const names = fold(`${guest.firstName} ${guest.lastName}`).split(' ');
  const code = fold(guest.code);
  const finds = (word: string) =>
    names.some((name) => name.startsWith(word)) ||
    (word.length >= MIN_CODE_CHARS && code.startsWith(word)) ||
    (word.length >= MIN_INNER_CHARS && names.some((name) => name.includes(word)));
  const words = fold(text)
    .split(' ')
    .map((word) => word.replace(/\.$/, ''));
  return words.every((word) => word === '' || finds(word));
}

/** Where a guest sleeps, for sorting and for one line: null without a bed. */
export function placeOf(guest: Pick<Guest, 'room' | 'bed'>): { room: string; bed: string } | null {
  return guest.room && guest.bed ? { room: guest.room.name, bed: guest.bed.name } : null;
}
