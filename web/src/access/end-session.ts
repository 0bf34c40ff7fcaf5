import type { Mutation, QueryClient } from '@tanstack/react-query';
import { clearDrafts } from '@/lib/drafts';
import { leaveInvitation } from '@/lib/link-token';
import { noteUnconfirmed, type SessionEnd, tellSessionEnd, tellUserForgotten } from '@/lib/session-end';
import { currentUserQuery } from './current-user';
import { noteFirstStep } from './first-step';
import { forgetPendingSignOut, pendingSignOut, signOutOnServer, type SignOutReason } from './sign-out';
import type { CurrentUser } from './user';

/** What one tab tells the others of the same browser, which share its session cookie. */
type Message = 'signed-out' | 'ended' | 'began';

/** A change that was sent. */
export type AnyMutation = Mutation<unknown, unknown>;

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('berth.session');

/** Queries that say nothing about a user. */
const PUBLIC = new Set<unknown>(['public-settings', currentUserQuery.queryKey[0]]);

/**
 * Forgets everything that was loaded for the signed-in user, in every tab of this browser. The one way to end a session
 * in the app: a 401, the end of the live stream and the sign-out all come here. Signed-in screens disappear at once,
 * because the current user becomes null.
 *
 * Drafts go with a sign-out. After the idle limit or a 401 they stay for the user who typed them, see docs/decisions,
 * "A long form survives a reload".
 *
 * `refused` is the change whose 401 told that the session is over. Of every other change on its way, the sign-in page says that nobody
 * knows whether it was made.
 */
export function endSession(queryClient: QueryClient, reason: SessionEnd, refused?: AnyMutation): void {
  const isEnded = queryClient.getQueryData(currentUserQuery.queryKey) === null;
  if (isEnded && (reason === 'refused' || reason === 'elsewhere')) return;
  end(queryClient, reason, refused);
}

/**
 * Signs out: here first, so that names disappear at once and a 401 to come is no surprise to anyone, then on the server.
 *
 * @throws if the server cannot be reached: the cookie still opens the session then.
 */
export async function signOut(queryClient: QueryClient, reason: SignOutReason): Promise<void> {
  endSession(queryClient, reason);
  await signOutOnServer(reason);
}

/** Signs out if somebody asked for it, or was away too long, and the code of that screen has not come. */
export function finishSignOut(queryClient: QueryClient): void {
  const reason = pendingSignOut();
  if (reason) signOut(queryClient, reason).catch(() => undefined);
}

function end(queryClient: QueryClient, reason: SessionEnd, refused?: AnyMutation): void {
  if (reason === 'sign-out') clearDrafts();
  const changes = queryClient.getMutationCache().findAll({ status: 'pending' });
  // A sign-out asks first about what is on its way, and may be such a change itself.
  const isOpen = (reason === 'refused' || reason === 'elsewhere') && changes.some((change) => change !== refused);
  forget(queryClient);
  if (isOpen) noteUnconfirmed(true);
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  tellSessionEnd(reason);
  if (reason !== 'elsewhere') tellOtherTabs(reason === 'sign-out' ? 'signed-out' : 'ended');
}

/**
 * The first step of a sign-in ended the session that this browser had before: nothing of it may show for the next user,
 * here or in another tab.
 */
export function replaceSession(queryClient: QueryClient): void {
  forgetPendingSignOut();
  forget(queryClient);
  noteFirstStep();
  tellOtherTabs('ended');
}

/** The sign-in is complete: tabs that wait on a sign-in screen go on. */
export function announceSignIn(): void {
  tellOtherTabs('began');
}

/**
 * Follows what other tabs of this browser do: a session that ends there ends here, and `onSignIn` is called when a
 * sign-in is completed there. A page that the browser kept in memory and shows again asks the server who is signed in.
 * Returns the way to stop.
 */
export function followOtherTabs(queryClient: QueryClient, onSignIn: () => void): () => void {
  const handleMessage = ({ data }: MessageEvent<Message>) => {
    // Nobody is signed in after the first step has ended, so there is no user to forget, but still the invitation.
    leaveInvitation();
    if (data === 'began') {
      void checkUser(queryClient).then(onSignIn);
      return;
    }
    if (data === 'signed-out') clearDrafts();
    endSession(queryClient, 'elsewhere');
  };
  const handleShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return;
    // The browser kept a page of a sign-in that is not finished. A new page decides whether it may go on (`endLeftStep`).
    if (queryClient.getQueryData(currentUserQuery.queryKey)?.stage === 'first_step') window.location.replace('/');
    else void checkUser(queryClient);
  };
  channel?.addEventListener('message', handleMessage);
  window.addEventListener('pageshow', handleShow);
  return () => {
    channel?.removeEventListener('message', handleMessage);
    window.removeEventListener('pageshow', handleShow);
  };
}

/** Asks the server who is signed in, and forgets the user known here if it is nobody or somebody else. */
export async function checkUser(queryClient: QueryClient): Promise<CurrentUser | null | undefined> {
  const before = queryClient.getQueryData(currentUserQuery.queryKey);
  const found = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => before);
  if (before && !found) end(queryClient, 'refused');
  else if (before && found && before.id !== found.id) forget(queryClient);
  return found;
}

function forget(queryClient: QueryClient): void {
  // An answer on its way would bring back what is forgotten here.
  void queryClient.cancelQueries({ predicate: isPrivate });
  queryClient.removeQueries({ predicate: isPrivate });
  queryClient.getMutationCache().clear();
  tellUserForgotten();
}

function isPrivate({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return !PUBLIC.has(queryKey[0]);
}

function tellOtherTabs(message: Message): void {
  channel?.postMessage(message);
}
