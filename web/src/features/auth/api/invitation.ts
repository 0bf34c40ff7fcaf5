import { queryOptions, useMutation } from '@tanstack/react-query';
import { unwrap } from '@/api/client';
import { interimClient } from '@/features/users/api/interim';
import type { Role } from '@/features/users/api/types';

/** What an invitation is for; `email` is masked. */
export interface InvitationInfo {
  organizationName: string | null;
  siteName: string | null;
  role: Role;
  email: string;
  state: 'open' | 'used' | 'expired';
}

/** What the link of an invitation stands for. Nothing is used up by asking. */
export function invitationQuery(token: string) {
  return queryOptions({
    // The token itself stays out of the keys; there is one link at a time.
    queryKey: ['invitation'],
    queryFn: ({ signal }): Promise<InvitationInfo> =>
      unwrap(interimClient.GET('/api/public/invitation', { params: { query: { token } }, signal })),
    retry: false,
    gcTime: 0,
  });
}

/** Asks for a new link in place of one that has expired. The answer does not tell whether the invitation stands. */
export function useRenewInvitation() {
  return useMutation({
    mutationFn: (token: string): Promise<unknown> =>
      unwrap(interimClient.POST('/api/public/invitation/renewal', { body: { token } })),
  });
}
