import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, type Schemas, unwrap } from '@/api/client';
import type { NewOrganizationValues } from '../schema';
import { organizationKeys } from './keys';

/** Where the link of an invitation lands (spec A section 2, Route table). */
const redirectUri = () => `${location.origin}/login/callback`;

/** Adds an organization and invites its first owner. */
export function useCreateOrganization(isCommercial: boolean) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, context }: { values: NewOrganizationValues; context: SaveContext }) => {
      const init = {
        body: { ...values, logoPath: values.logoPath ?? '', redirectUri: redirectUri() },
        headers: keyHeader(context),
      };
      return unwrap(
        isCommercial
          ? client.POST('/api/Organizations/commercial', init)
          : client.POST('/api/Organizations/nonCommercial', init),
      );
    },
    onSuccess: () => refreshOrganizations(queryClient),
  });
}

/** What an edit changes; the rest stays as it is. */
export type OrganizationDraft = Schemas['OrganizationEdit'] & { id: string };

/** Changes an organization; a newer version of someone else is not overwritten (412). */
export function useEditOrganization() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: OrganizationDraft) =>
      unwrap(client.PUT('/api/Organizations/{id}', { params: { path: { id: draft.id } }, body: draft })),
    onSettled: () => refreshOrganizations(queryClient),
  });
}

/** Deletes an organization with its sites; refused while a bed is occupied or a reservation waits. */
export function useDeleteOrganization() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(client.DELETE('/api/Organizations/{id}', { params: { path: { id } } })),
    onSuccess: () => refreshOrganizations(queryClient),
  });
}

/** Organizations show in lists, on their own pages and on those of their sites. */
async function refreshOrganizations(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: organizationKeys.all }),
    queryClient.invalidateQueries({ queryKey: ['site-list'] }),
    queryClient.invalidateQueries({ queryKey: ['sites'] }),
  ]);
}
