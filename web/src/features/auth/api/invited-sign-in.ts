import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { replaceSession, signOut } from '@/access/end-session';
import { client, unwrap } from '@/api/client';
import { ApiError, UnauthorizedError } from '@/api/errors';
import { followedInvitation, followInvitation, leaveInvitation, linkSignal } from '@/lib/link-token';
import { invitationQuery } from './invitation';
import { fetchUser, findNextStep, InvitationOverError, type NextStep, token } from './sign-in';

/** The first step of an invited user: the one-time token of the link. One that is only too old can be renewed. */
export function useInvitationSignIn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (linkToken: string): Promise<NextStep | 'expired'> => {
      const signal = linkSignal();
      try {
        const next = await followLink(queryClient, linkToken, signal);
        signal.throwIfAborted();
        return next;
      } catch (error) {
        if (signal.aborted) await endFirstStep(queryClient);
        throw error;
      }
    },
  });
}

async function followLink(queryClient: QueryClient, linkToken: string, signal: AbortSignal) {
  try {
    await token({ grant_type: 'invitation', access_token: linkToken }, signal);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'expired_token')) throw error;
    // The token endpoint says the same of a link that was used and of one that is too old.
    const invitation = await queryClient.fetchQuery(invitationQuery(linkToken)).catch(() => undefined);
    if (invitation?.state === 'expired') return 'expired';
    throw error;
  }
  signal.throwIfAborted();
  replaceSession(queryClient);
  followInvitation(linkToken);
  return findNextStep(queryClient);
}

/**
 * The page of the link was left while the sign-in was on its way, and the server may have begun it: whoever sits there now
 * must not set the password. A user who was signed in before, and whom no first step has replaced, stays.
 */
async function endFirstStep(queryClient: QueryClient): Promise<void> {
  const user = await fetchUser(queryClient).catch(() => undefined);
  if (user && user.stage !== 'full') await signOut(queryClient, 'sign-out');
}

/** The first password; sign-in then goes on. Whoever took longer than the first step lasts follows the link once more. */
export function useCreatePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) => {
      const save = () => unwrap(client.POST('/api/Users/password', { body: { password } }));
      try {
        await save();
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error;
        const link = followedInvitation();
        if (link === undefined) throw new InvitationOverError();
        await token({ grant_type: 'invitation', access_token: link });
        if (followedInvitation() !== link) throw new InvitationOverError();
        await save();
      }
      leaveInvitation();
      return findNextStep(queryClient);
    },
  });
}
