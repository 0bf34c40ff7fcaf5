/** Seconds before the end at which the user is asked whether to stay (guide web, section 14). */
export const WARN_SECONDS = 60;

/** Whole seconds until the server ends the session, never negative. */
export function secondsUntilIdle(lastActivityAt: number, idleMinutes: number, now: number): number {
  return Math.max(0, Math.ceil((lastActivityAt + idleMinutes * 60_000 - now) / 1000));
}

/**
 * Whether touching the page should be told to the server now. Reading and typing make no calls by themselves; one
 * message a minute (or each quarter of a short limit) is enough.
 */
export function shouldExtend(lastActivityAt: number, idleMinutes: number, now: number): boolean {
  return now - lastActivityAt >= Math.min(60_000, (idleMinutes * 60_000) / 4);
}
