import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { endSession } from '@/access/end-session';
import { client, unwrap } from '@/api/client';
import type { MailLink } from '@/lib/link-token';

/** Asks for a link with which a new password can be set. The answer does not tell whether there is such an account. */
export function useAskForReset() {
  return useMutation({
    mutationFn: (email: string) =>
      unwrap(client.POST('/api/Users/password/reset', { body: { email, redirectUri: location.origin } })),
  });
}

/**
 * After a link has ended every session of its account: forgets the one of this browser if it was among them. Returns the email of
 * somebody else whose session it is; that one stays.
 */
async function forgetEndedSession(queryClient: QueryClient): Promise<string | undefined> {
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => undefined);
  if (user === null) endSession(queryClient, 'sign-out');
  return user?.email;
}

/** Sets a new password by the link of a mail; every session of its account ends. Returns the email of somebody else who is signed in here. */
export function useResetPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (fields: MailLink & { newPassword: string }) => {
      await unwrap(client.PUT('/api/Users/password', { body: fields }));
      return await forgetEndedSession(queryClient);
    },
  });
}

/**
 * Takes a change of the email back by the link in the old mailbox; every session of its account ends. Returns the email of somebody else
 * who is signed in here.
 */
export function useUndoEmailChange() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (link: MailLink) => {
      await unwrap(client.PUT('/api/Users/email', { body: link }));
      return await forgetEndedSession(queryClient);
    },
  });
}

/** Takes the new email that the link of a mail stands for. */
export function useConfirmEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (link: MailLink) => unwrap(client.PUT('/api/Users/email', { body: link })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
}
