import { onUserForgotten } from '@/lib/session-end';

/** Time in milliseconds after the answer within which the lists show what was done. */
const SHOWN_AFTER_MILLISECONDS = 10_000;

interface OwnArrival {
  siteId: string;
}

/** Reservations made, or brought back, in this browser. Whoever made them need not be told that they are new. */
const own = new Set<OwnArrival>();

/** Tells the other tabs of this browser, whose lists show it a moment later. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('berth.own-arrivals');
channel?.addEventListener('message', ({ data }: MessageEvent<OwnArrival>) => keepForAWhile({ ...data }));

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
    if (!isMade) {
      own.delete(arrival);
      return;
    }
    // Where the list has shown it already, there is nothing left to leave out.
    if (own.has(arrival)) keepForAWhile(arrival);
    channel?.postMessage(arrival);
  };
}

/** In a hidden tab, which tells nothing, the while begins when it is seen again. */
function keepForAWhile(arrival: OwnArrival): void {
  own.add(arrival);
  const begin = () => setTimeout(() => own.delete(arrival), SHOWN_AFTER_MILLISECONDS);
  if (document.visibilityState === 'visible') begin();
  else document.addEventListener('visibilitychange', begin, { once: true });
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
