import { useMutation, useQueryClient } from '@tanstack/react-query';
import { replaceSession } from '@/access/end-session';
import { client, unwrap } from '@/api/client';
import { ApiError, UnauthorizedError } from '@/api/errors';
import { followedInvitation, followInvitation, leaveInvitation, linkSignal } from '@/lib/link-token';
import { invitationQuery } from './invitation';
import { findNextStep, InvitationOverError, type NextStep, token } from './sign-in';

/** The first step of an invited user: the one-time token of the link. One that is only too old can be renewed. */
export function useInvitationSignIn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (linkToken: string): Promise<NextStep | 'expired'> => {
      const signal = linkSignal();
      try {
        await token({ grant_type: 'invitation', access_token: linkToken }, signal);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'expired_token')) throw error;
        // The token endpoint says the same of a link that was used and of one that is too old.
        const invitation = await queryClient.fetchQuery(invitationQuery(linkToken)).catch(() => undefined);
        if (invitation?.state === 'expired') return 'expired';
        throw error;
      }
      // Left at the last moment, with the answer already here.
      if (signal.aborted) throw new InvitationOverError();
      replaceSession(queryClient);
      followInvitation(linkToken);
      return findNextStep(queryClient);
    },
  });
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
