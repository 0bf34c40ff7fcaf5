import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, type Schemas, unwrap } from '@/api/client';

/** An existing bed as it shall be. */
export type BedDraft = Schemas['BedEdit'] & { id: string };

/** Adds one bed or several of a kind to a house. */
export function useAddBeds(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, context }: { body: Schemas['NewBeds']; context: SaveContext }) =>
      unwrap(client.POST('/api/Beds', { body, headers: keyHeader(context) })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
  });
}

/** Edits, enables or disables a bed; refused while it is occupied. */
export function useSaveBed(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: BedDraft) => unwrap(client.PUT('/api/Beds/{id}', { params: { path: { id } }, body })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
  });
}

/** Removes a bed; refused while it is occupied. */
export function useRemoveBed(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(client.DELETE('/api/Beds/{id}', { params: { path: { id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
  });
}
