import { client, unwrap } from '@/api/client';
import { UnauthorizedError } from '@/api/errors';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';

/** The user wanted it, or was away longer than the idle limit: then the drafts stay. */
export type SignOutReason = 'sign-out' | 'idle';

/** Time after which a sign-out counts as lost, in milliseconds. It is short because a lost one is sent again. */
const MAX_WAIT_MILLISECONDS = 10_000;

/**
 * Ends the session on the server. Until the server has answered, this browser remembers that it must: a session whose user
 * signed out without a network is not opened again, neither by a reload nor by the next person at the computer.
 */
export async function signOutOnServer(reason: SignOutReason): Promise<void> {
  rememberSignOut(reason);
  // Another tab may have ended the session meanwhile, and somebody may have signed in there: the late answer to this request
  // would delete the cookie of their session.
  const settled = new AbortController();
  const giveUp = () => {
    if (!pendingSignOut()) settled.abort();
  };
  window.addEventListener('storage', giveUp);
  try {
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(MAX_WAIT_MILLISECONDS)]);
    await unwrap(client.POST('/connect/logout', { signal }));
  } catch (error) {
    // Another tab has done it.
    if (settled.signal.aborted) return;
    // The session is over already.
    if (!(error instanceof UnauthorizedError)) throw error;
  } finally {
    window.removeEventListener('storage', giveUp);
  }
  forgetPendingSignOut();
}

/** Keeps this browser from opening the session again, even if the tab is closed before anything could be sent. */
export function rememberSignOut(reason: SignOutReason): void {
  writePreference('signOutPending', reason);
}

/** Returns why a session ended here of which the server does not know it yet; undefined if there is none. */
export function pendingSignOut(): SignOutReason | undefined {
  const kept = readPreference('signOutPending');
  // Whatever else stands there was kept by an older Berth.
  return kept && (kept === 'idle' ? 'idle' : 'sign-out');
}

/** A new session has taken the place of the one that was to end. */
export function forgetPendingSignOut(): void {
  clearPreference('signOutPending');
}
