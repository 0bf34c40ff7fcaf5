import { client, unwrap } from '@/api/client';
import { UnauthorizedError } from '@/api/errors';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';

/** Time after which a sign-out counts as lost, in milliseconds. It is short because a lost one is sent again. */
const MAX_WAIT_MILLISECONDS = 10_000;

/**
 * Ends the session on the server. Until the server has answered, this browser remembers that it must: a session whose user
 * signed out without a network is not opened again, neither by a reload nor by the next person at the computer.
 */
export async function signOutOnServer(): Promise<void> {
  rememberSignOut();
  try {
    await unwrap(client.POST('/connect/logout', { signal: AbortSignal.timeout(MAX_WAIT_MILLISECONDS) }));
  } catch (error) {
    // The session is over already.
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  forgetPendingSignOut();
}

/** Keeps this browser from opening the session again, even if the tab is closed before anything could be sent. */
export function rememberSignOut(): void {
  writePreference('signOutPending', 'yes');
}

/** Whether somebody signed out here and the server does not know it yet. */
export function isSignOutPending(): boolean {
  return readPreference('signOutPending') === 'yes';
}

/** A new session has taken the place of the one that was to end. */
export function forgetPendingSignOut(): void {
  clearPreference('signOutPending');
}
