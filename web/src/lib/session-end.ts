/**
 * Tells everything that remembers something of a signed-in user to forget it. Modules with a memory of their own (open
 * messages, stored answers) register here; `access/end-session.ts` calls them. No React, no server data.
 */

/**
 * Why a session ended: `sign-out` by the user, `idle` by the idle limit, `refused` by the server (401), `elsewhere` in
 * another tab of this browser.
 */
export type SessionEnd = 'sign-out' | 'idle' | 'refused' | 'elsewhere';

const listeners = new Set<(reason: SessionEnd) => void>();

/** Calls `listener` whenever a session ends; returns the way to stop. */
export function onSessionEnd(listener: (reason: SessionEnd) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls all listeners. Only `endSession` uses it. */
export function tellSessionEnd(reason: SessionEnd): void {
  for (const listener of listeners) listener(reason);
}
