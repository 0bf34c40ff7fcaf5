import { queryOptions, useMutation } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

/** What an invitation is for; `email` is masked. */
export type InvitationInfo = Schemas['Invitation'];

/** What the link of an invitation stands for. Nothing is used up by asking. */
export function invitationQuery(token: string) {
  return queryOptions({
    // The token itself stays out of the keys; there is one link at a time.
    queryKey: ['invitation'],
    // Sent in the body: addresses stand in logs.
    queryFn: ({ signal }) => unwrap(client.POST('/api/public/invitation', { body: { token }, signal })),
    retry: false,
    gcTime: 0,
  });
}

/** Asks for a new link in place of one that has expired. The answer does not tell whether the invitation stands. */
export function useRenewInvitation() {
  return useMutation({
    mutationFn: (token: string) => unwrap(client.POST('/api/public/invitation/renewal', { body: { token } })),
  });
}
