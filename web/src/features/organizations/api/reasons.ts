import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, type Schemas, unwrap } from '@/api/client';
import { organizationKeys } from './keys';

/** All reasons for declines and discharges of an organization, retired ones included, by kind and name. */
export function reasonsQuery(organizationId: string) {
  return queryOptions({
    queryKey: [...organizationKeys.one(organizationId), 'reasons'] as const,
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Organizations/{id}/reasons', { params: { path: { id: organizationId } }, signal })),
  });
}

/** Adds a reason. */
export function useAddReason(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, context }: { values: Schemas['NewReason']; context: SaveContext }) =>
      unwrap(
        client.POST('/api/Organizations/{id}/reasons', {
          params: { path: { id: organizationId } },
          body: values,
          headers: keyHeader(context),
        }),
      ),
    onSuccess: () => refreshReasons(queryClient, organizationId),
  });
}

/** Renames, retires or restores a reason. */
export function useEditReason(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ reasonId, edit }: { reasonId: string; edit: Schemas['ReasonEdit'] }) =>
      unwrap(
        client.PATCH('/api/Organizations/{id}/reasons/{reasonId}', {
          params: { path: { id: organizationId, reasonId } },
          body: edit,
        }),
      ),
    onSettled: () => refreshReasons(queryClient, organizationId),
  });
}

/** The list of the organization, and what its sites offer and show. */
async function refreshReasons(queryClient: QueryClient, organizationId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: reasonsQuery(organizationId).queryKey }),
    queryClient.invalidateQueries({ queryKey: ['sites'], refetchType: 'none' }),
  ]);
}
