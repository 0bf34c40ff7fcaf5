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
const forgetters = new Set<() => void>();

/** Calls `listener` whenever a session ends; returns the way to stop. */
export function onSessionEnd(listener: (reason: SessionEnd) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls all listeners. Only `endSession` uses it. */
export function tellSessionEnd(reason: SessionEnd): void {
  for (const listener of listeners) listener(reason);
}

/** Calls `forget` whenever nothing of a user may be left: a session ended, or another user signed in over it. */
export function onUserForgotten(forget: () => void): void {
  forgetters.add(forget);
}

let isForgotten = false;

/** Calls all of them. Only `access/end-session.ts` uses it. */
export function tellUserForgotten(): void {
  isForgotten = true;
  for (const forget of forgetters) forget();
}

/** Somebody is signed in, and the screens are theirs. */
export function noteUserShown(): void {
  isForgotten = false;
  unsaved = undefined;
  hasUnconfirmed = false;
}

/** Returns true from the moment a user is forgotten until somebody is signed in: an answer that comes late is for nobody. */
export function isUserForgotten(): boolean {
  return isForgotten;
}

/** What went with a session: what was typed into a form, or a change that the server refused because the session had ended. */
export type Unsaved = 'form' | 'change';

let unsaved: Unsaved | undefined;

/** Remembers, for the sign-in page, what went with the session. */
export function noteUnsaved(what: Unsaved): void {
  unsaved ??= what;
}

/** What was not saved when the last session ended, if anything. Where nobody knows, `wasUnconfirmed` tells of a change. */
export function lastUnsaved(): Unsaved | undefined {
  return unsaved === 'change' && hasUnconfirmed ? undefined : unsaved;
}

/**
 * Remembers a change that the server refused with 401. If the answer to an earlier try was lost, nobody knows whether it was made.
 */
export function noteRefused(what: Unsaved, wasLost: boolean): void {
  if (wasLost) hasUnconfirmed = true;
  else if (!hasUnconfirmed) noteUnsaved(what);
}

let hasUnconfirmed = false;

/** Remembers, for the sign-in page, whether a change had no outcome yet when the user was forgotten. */
export function noteUnconfirmed(isSo: boolean): void {
  hasUnconfirmed = isSo;
}

/** Whether the last session ended before the outcome of all its changes was known. */
export function wasUnconfirmed(): boolean {
  return hasUnconfirmed;
}
