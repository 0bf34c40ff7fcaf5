import type { Schemas } from '@/api/client';
import { dateFormat } from '@/lib/date-formats';

/** Time in milliseconds before the end of a hold at which it is told. */
export const WARNING_MILLISECONDS = 15 * 60_000;

/** Time in milliseconds after the end of a hold at which the server is asked what became of it. */
const AFTER_THE_END_MILLISECONDS = 500;

/** Maximum delay of `setTimeout`, in milliseconds. */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;

type Place = Pick<Schemas['TodayPlace'], 'name' | 'timeZone'>;

/** A reservation whose hold ends, without anything about the guest. */
export interface Hold {
  guestId: string;
  site: Place;
  /** Epoch milliseconds. */
  endsAt: number;
}

/** The holds among what waits, at sites where the user decides. */
export function holdsOf(
  waiting: readonly Schemas['TodayReservation'][],
  canDecide: (site: Schemas['TodayPlace']) => boolean,
): Hold[] {
  return waiting.flatMap(({ guest, site }) =>
    guest.expiresAt !== null && canDecide(site)
      ? [{ guestId: guest.id, site, endsAt: Date.parse(guest.expiresAt) }]
      : [],
  );
}

/** Returns true while the hold is about to end. */
export function isEnding({ endsAt }: Hold, now: number): boolean {
  return endsAt > now && endsAt - now <= WARNING_MILLISECONDS;
}

/** Minutes until the hold ends, a part of one as a whole one. */
export function minutesLeft({ endsAt }: Hold, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / 60_000));
}

/** Milliseconds until the next hold is about to end or has ended. Undefined without one. */
export function untilNextCheck(holds: readonly Hold[], now: number): number | undefined {
  const moments = holds
    .flatMap(({ endsAt }) => [endsAt - WARNING_MILLISECONDS, endsAt + AFTER_THE_END_MILLISECONDS])
    .filter((moment) => moment > now);
  return moments.length === 0 ? undefined : Math.min(Math.min(...moments) - now, LONGEST_TIMER_MILLISECONDS);
}

/** The ids of guests whose hold ran out without a decision. */
export function expiredIds(
  moves: readonly (Pick<Schemas['TodayMove'], 'kind'> & { guest: Pick<Schemas['Guest'], 'id'> })[],
): string[] {
  return moves.filter(({ kind }) => kind === 'expired').map(({ guest }) => guest.id);
}

/** The quiet hours of a person, as the server keeps them: `hh:mm:ss` in the time zone of each site, or null. */
export type QuietHours = Pick<Schemas['MessageSettings'], 'quietFrom' | 'quietUntil'>;

/** Returns true during the quiet hours, by the clock of the site. The same rule as `domain/message/notice.rs`. */
export function isQuiet({ quietFrom, quietUntil }: QuietHours, now: number, timeZone: string): boolean {
  if (quietFrom === null || quietUntil === null) return false;
  const time = dateFormat('en-US', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(now);
  // Texts of the form `hh:mm:ss` are ordered by time.
  return quietFrom < quietUntil ? quietFrom <= time && time < quietUntil : quietFrom <= time || time < quietUntil;
}

/** What a site tells of how many reservations wait there. */
type SiteCount = Pick<Schemas['SiteSummary'], 'id'> & { counts: Pick<Schemas['SiteCounts'], 'pending'> };

/** Returns how many more reservations wait at each site than before. Sites that were not known before are left out. */
export function addedSince(
  known: ReadonlyMap<string, number>,
  sites: readonly SiteCount[],
): ReadonlyMap<string, number> {
  return new Map(
    sites
      .map(({ id, counts }) => [id, counts.pending - (known.get(id) ?? counts.pending)] as const)
      .filter(([, added]) => added > 0),
  );
}
