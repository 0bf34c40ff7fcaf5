const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Below one hour a decision presses. */
const URGENT = HOUR;
/** Below ten minutes the seconds are shown. */
const SHOWS_SECONDS = 10 * MINUTE;

/** What is left of a hold, ready to be put into words. */
export type HoldLeft =
  | { kind: 'over' }
  | { kind: 'seconds'; seconds: number; isUrgent: true }
  | { kind: 'minutes'; minutes: number; isUrgent: true }
  | { kind: 'hours'; hours: number; minutes: number; isUrgent: false };

/** Time left until `expiresAt`, both epoch milliseconds; parts are rounded down, seconds up. */
export function holdLeft(expiresAt: number, now: number): HoldLeft {
  const left = expiresAt - now;
  if (left <= 0) return { kind: 'over' };
  if (left < SHOWS_SECONDS) return { kind: 'seconds', seconds: Math.ceil(left / SECOND), isUrgent: true };
  if (left < URGENT) return { kind: 'minutes', minutes: Math.floor(left / MINUTE), isUrgent: true };
  return {
    kind: 'hours',
    hours: Math.floor(left / HOUR),
    minutes: Math.floor((left % HOUR) / MINUTE),
    isUrgent: false,
  };
}

/** How much of a hold is left, from 1 when the reservation was made down to 0. All in epoch milliseconds. */
export function holdShare(createdAt: number, expiresAt: number, now: number): number {
  const whole = expiresAt - createdAt;
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, (expiresAt - now) / whole));
}

/** What the order of waiting guests is made of. */
interface Waiting {
  expiresAt: string | null;
  createdAt: string;
}

/** Sorts the guests who wait for a decision: the hold that ends first comes first, guests without a hold last, oldest first. */
export function byUrgency(a: Waiting, b: Waiting): number {
  const end = ({ expiresAt }: Waiting) => (expiresAt === null ? Infinity : Date.parse(expiresAt));
  const [endA, endB] = [end(a), end(b)];
  return endA === endB ? Date.parse(a.createdAt) - Date.parse(b.createdAt) : endA - endB;
}
