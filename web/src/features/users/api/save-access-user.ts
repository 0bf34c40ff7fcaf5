import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, type Schemas, unwrap } from '@/api/client';
import type { InviteValues } from '../schema';
import { refreshAccessUsers } from './keys';
import type { AccessUser, Role } from './types';

/** Where the link of an invitation lands (spec A section 2, Route table). */
const redirectUri = () => `${location.origin}/login/callback`;

/** What the edit form changes of an access user. */
export interface AccessUserDraft {
  firstName: string;
  lastName: string;
  role: Role;
  receiveReservationTexts: boolean;
  isDisabled: boolean;
}

/** Invites someone to a site by mail. */
export function useInviteSiteUser(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, context }: { values: InviteValues; context: SaveContext }) =>
      unwrap(
        client.POST('/api/AccessUsers/siteScopeUsers', {
          body: { ...values, siteId, redirectUri: redirectUri() },
          headers: keyHeader(context),
        }),
      ),
    onSuccess: () => refreshAccessUsers(queryClient),
  });
}

interface AccessUserEdit {
  user: AccessUser;
  draft: AccessUserDraft;
  context: SaveContext;
}

/** Saves the edit form: all of its fields at once; a newer version of someone else is not overwritten (412). */
export function useEditAccessUser() {
  return useChange(({ user, draft, context: { version } }: AccessUserEdit) => [
    user.id,
    { accessUserId: user.id, isNamesEditAllowed: user.can.rename, ...scopeOf(user), ...draft, version },
  ]);
}

/** Gives another role. */
export function useChangeRole() {
  return useChange(({ user, role }: { user: AccessUser; role: Role }) => [user.id, { role, ...scopeOf(user) }]);
}

/** Takes the access away for a while, or gives it back. */
export function useDisableAccessUser() {
  return useChange(({ user, isDisabled }: { user: AccessUser; isDisabled: boolean }) => [user.id, { isDisabled }]);
}

/** Removes the access for good; what the person did stays in the history. */
export function useRemoveAccessUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(client.DELETE('/api/AccessUsers/{id}', { params: { path: { id } } })),
    onSettled: () => refreshAccessUsers(queryClient),
  });
}

/** Sends the invitation once more, with a new link. */
export function useResendInvitation() {
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(
        client.POST('/api/AccessUsers/{id}/invitation', {
          params: { path: { id } },
          body: { redirectUri: redirectUri() },
        }),
      ),
  });
}

function useChange<Change>(bodyOf: (change: Change) => [string, Schemas['AccessUserChange']]) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => {
      const [id, body] = bodyOf(change);
      return unwrap(client.PATCH('/api/AccessUsers/{id}', { params: { path: { id } }, body }));
    },
    onSettled: () => refreshAccessUsers(queryClient),
  });
}

function scopeOf({ siteId, organization }: AccessUser): { siteId: string | null; organizationId: string | null } {
  return { siteId, organizationId: organization?.id ?? null };
}
