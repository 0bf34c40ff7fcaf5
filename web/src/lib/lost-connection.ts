/**
 * What is known about the way to the server beside `navigator.onLine`. `isLost`: nothing came for so long that everything
 * that was being loaded has been given up (`live/drop-dead-connections`). `isReturning`: the browser has just said that the network is back,
 * which often carries nothing yet.
 */
export const connection = { isLost: false, isReturning: false };

/** Returns true if a failed load may be due to the network. */
export function hasNoNetwork(): boolean {
  return !navigator.onLine || connection.isLost || connection.isReturning;
}

/** Times after the return of the network at which what is still missing is asked for again, in milliseconds. */
const REPEATS_MILLISECONDS = [1000, 3000, 8000] as const;

const listeners = new Set<() => void>();
let timers: ReturnType<typeof setTimeout>[] = [];

/** Calls `listener` when the network is there again, and some more times until it surely is. Returns the way to stop. */
export function onReturn(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('online', follow);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function follow(): void {
  for (const timer of timers) clearTimeout(timer);
  connection.isReturning = true;
  timers = REPEATS_MILLISECONDS.map((wait, repeat) =>
    setTimeout(() => {
      // From the last time on, a failure is none of the network.
      connection.isReturning = repeat < REPEATS_MILLISECONDS.length - 1;
      tell();
    }, wait),
  );
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
