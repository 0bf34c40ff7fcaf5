import { monotonicNow } from '@/lib/clock';

/**
 * When the user last did something. Calls made without anybody there (live updates, polling) are marked as background,
 * so that the idle sign-out of the server stays honest (DESIGN section 5). Times are monotonic: a clock that is set
 * signs nobody out.
 */
const INPUT_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;
const PRESENT_MILLISECONDS = 60_000;

let lastInputAt = monotonicNow();
let lastCountedCallAt = monotonicNow();
const listeners = new Set<() => void>();
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('berth.activity');

if (typeof window !== 'undefined') {
  for (const name of INPUT_EVENTS) {
    window.addEventListener(name, noteInput, { passive: true, capture: true });
  }
}
channel?.addEventListener('message', () => {
  // Another tab of the same session spoke to the server: its idle limit began again for this tab too.
  lastCountedCallAt = monotonicNow();
});

function noteInput(): void {
  lastInputAt = monotonicNow();
  for (const listener of listeners) listener();
}

/** Calls `listener` at each key press, touch or click; returns the way to stop. */
export function onInput(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether somebody touched the page within the last 60 seconds. */
export function isUserPresent(): boolean {
  return monotonicNow() - lastInputAt < PRESENT_MILLISECONDS;
}

/** Remembers that the server just saw a call that counts as activity, and tells the other tabs. */
export function noteCountedCall(): void {
  lastCountedCallAt = monotonicNow();
  channel?.postMessage('counted');
}

/** Monotonic milliseconds of the last call, of any tab, that began the idle limit of the server again. */
export function lastActivityAt(): number {
  return lastCountedCallAt;
}
