import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { client, unwrap } from '@/api/client';

/** Whether another account holds an email; asked once for each address (the server allows ten an hour). */
export const emailBusynessQuery = (email: string) =>
  queryOptions({
    queryKey: ['email-busyness', email],
    queryFn: ({ signal }) => unwrap(client.GET('/api/Users/emailBusyness', { params: { query: { email } }, signal })),
    staleTime: Infinity,
    retry: false,
  });

/** Sends a link to a new email; opening it makes the change. */
export function useSendEmailLink() {
  return useMutation({
    mutationFn: (email: string) =>
      unwrap(client.POST('/api/Users/email/challenge', { body: { email, redirectUri: location.origin } })),
  });
}

/** Sends a code to a new phone; answers the phone, masked. */
export function useSendPhoneCode() {
  return useMutation({
    mutationFn: (phone: string) => unwrap(client.POST('/api/Users/phone/challenge', { body: { phone } })),
  });
}

/** Changes the phone by the code that was sent to it. */
export function useChangePhone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (fields: { phone: string; token: string }) => unwrap(client.PUT('/api/Users/phone', { body: fields })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
}

/** Changes the password; the other sessions end. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (fields: { oldPassword: string; newPassword: string }) =>
      unwrap(client.PUT('/api/Users/password', { body: fields })),
  });
}

/** Deletes the signed-in user's profile; the session is over then. */
export function useDeleteProfile() {
  return useMutation({ mutationFn: () => unwrap(client.DELETE('/api/Users')) });
}
