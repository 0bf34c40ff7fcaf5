import { onUserForgotten } from '@/lib/session-end';

/** Time in milliseconds after the answer within which the lists show what was done. */
const SHOWN_AFTER_MILLISECONDS = 10_000;

/** Reservations made, or brought back, in this browser. Whoever made them need not be told that they are new. */
const own = new Set<{ siteId: string }>();

// They are no news to this person alone.
onUserForgotten(() => own.clear());

/**
 * Notes one that is about to be made. Call the returned function when the answer is known: with false where no reservation
 * came of it, since the next one is then somebody else's.
 */
export function noteOwnArrival(siteId: string): (isMade: boolean) => void {
  const arrival = { siteId };
  own.add(arrival);
  return (isMade) => {
    if (isMade) setTimeout(() => own.delete(arrival), SHOWN_AFTER_MILLISECONDS);
    else own.delete(arrival);
  };
}

/** How many of `count` new reservations at a site were not made here. Each of ours is left out once. */
export function withoutOwnArrivals(siteId: string, count: number): number {
  let others = count;
  for (const arrival of own) {
    if (others <= 0) break;
    if (arrival.siteId !== siteId) continue;
    own.delete(arrival);
    others -= 1;
  }
  return others;
}
