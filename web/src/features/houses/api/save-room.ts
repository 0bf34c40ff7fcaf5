import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, keyHeader, type SaveContext, unwrap } from '@/api/client';
import type { HouseValues } from '../schema';

/** A house to save; without `meantFor` whom it is for does not change. */
type RoomToSave = Omit<HouseValues, 'meantFor'> & { meantFor: HouseValues['meantFor'] | undefined };

/** Adds a house, or edits the one with this id; the site is loaded again before the promise resolves. */
export function useSaveRoom(siteId: string, id: string | undefined) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values: { name, imagePath, meantFor }, context }: { values: RoomToSave; context: SaveContext }) =>
      unwrap(
        id === undefined
          ? client.POST('/api/Rooms', {
              body: { siteId, name, ...(imagePath ? { imagePath } : {}), ...(meantFor?.length ? { meantFor } : {}) },
              headers: keyHeader(context),
            })
          : client.PUT('/api/Rooms/{id}', {
              params: { path: { id } },
              body: { name, imagePath, version: context.version, ...(meantFor ? { meantFor } : {}) },
            }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
  });
}

/** Deletes a house with its beds; refused while one is occupied. */
export function useDeleteRoom(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(client.DELETE('/api/Rooms/{id}', { params: { path: { id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
  });
}
