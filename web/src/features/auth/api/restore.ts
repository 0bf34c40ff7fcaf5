import { useMutation, useQueryClient } from '@tanstack/react-query';
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

/** Sets a new password by the link of a mail; every session ends, one in this browser too. */
export function useResetPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (fields: MailLink & { newPassword: string }) =>
      unwrap(client.PUT('/api/Users/password', { body: fields })),
    onSuccess: () => endSession(queryClient, 'sign-out'),
  });
}

/** Takes a change of the email back by the link in the old mailbox; every session ends, one in this browser too. */
export function useUndoEmailChange() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (link: MailLink) => unwrap(client.PUT('/api/Users/email', { body: link })),
    onSuccess: () => endSession(queryClient, 'sign-out'),
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
