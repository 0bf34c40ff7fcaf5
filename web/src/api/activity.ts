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
channel?.addEventListener('message', ({ data }: MessageEvent<number>) => {
  // Another tab of the same session spoke to the server this many milliseconds ago: the idle limit began again for this tab too.
  counted(monotonicNow() - data);
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

/**
 * Remembers that the server saw a call that counts as activity, and tells the other tabs. `sentAt` is when the call was sent: on a
 * slow line the answer comes later than the idle limit of the server began again.
 */
export function noteCountedCall(sentAt = monotonicNow()): void {
  counted(sentAt);
  channel?.postMessage(monotonicNow() - sentAt);
}

/** A call that was sent earlier takes nothing back. The clock of a test may go back, so what lies ahead of it is forgotten. */
function counted(at: number): void {
  lastCountedCallAt = Math.max(Math.min(lastCountedCallAt, monotonicNow()), at);
}

/** Monotonic milliseconds of the last call, of any tab, that began the idle limit of the server again. */
export function lastActivityAt(): number {
  return lastCountedCallAt;
}
