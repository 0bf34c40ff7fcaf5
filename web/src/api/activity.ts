/**
 * When the user last did something. Calls made without anybody there (live updates, polling) are marked as background,
 * so that the idle sign-out of the server stays honest (DESIGN section 5).
 */
const INPUT_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;
const PRESENT_MILLISECONDS = 60_000;

let lastInputAt = Date.now();
let lastCountedCallAt = Date.now();
const listeners = new Set<() => void>();
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('berth.activity');

if (typeof window !== 'undefined') {
  for (const name of INPUT_EVENTS) {
    window.addEventListener(name, noteInput, { passive: true, capture: true });
  }
}
channel?.addEventListener('message', (event: MessageEvent<number>) => {
  // Another tab of the same session spoke to the server: its idle limit began again for this tab too.
  lastCountedCallAt = Math.max(lastCountedCallAt, event.data);
});

function noteInput(): void {
  lastInputAt = Date.now();
  for (const listener of listeners) listener();
}

/** Calls `listener` at each key press, touch or click; returns the way to stop. */
export function onInput(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether somebody touched the page within the last 60 seconds. */
export function isUserPresent(now = Date.now()): boolean {
  return now - lastInputAt < PRESENT_MILLISECONDS;
}

/** Remembers that the server just saw a call that counts as activity, and tells the other tabs. */
export function noteCountedCall(now = Date.now()): void {
  lastCountedCallAt = now;
  channel?.postMessage(now);
}

/** Epoch milliseconds of the last call, of any tab, that began the idle limit of the server again. */
export function lastActivityAt(): number {
  return lastCountedCallAt;
}
