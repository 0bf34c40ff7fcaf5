import { onUserForgotten } from '@/lib/session-end';

/** Time in milliseconds after the answer within which the lists show what was done. */
const SHOWN_AFTER_MILLISECONDS = 10_000;

/** Reservations made, or brought back, in this browser. Whoever made them need not be told that they are new. */
const own = new Set<{ siteId: string }>();

// They are no news to this person alone.
onUserForgotten(() => own.clear());

/** Notes one that is about to be made. Call the returned function when its answer is known. */
export function noteOwnArrival(siteId: string): () => void {
  const arrival = { siteId };
  own.add(arrival);
  return () => void setTimeout(() => own.delete(arrival), SHOWN_AFTER_MILLISECONDS);
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
