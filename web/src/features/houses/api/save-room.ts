import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

/** A house as its dialog leaves it; without an id it is a new one. */
export interface RoomDraft {
  id?: string;
  name: string;
  imagePath?: string | null;
  /** The version that the user saw; someone else's newer one is not overwritten. */
  version?: number;
}

async function saveRoom(siteId: string, { id, name, imagePath, version }: RoomDraft): Promise<Schemas['Room']> {
  if (id === undefined)
    return unwrap(client.POST('/api/Rooms', { body: { siteId, name, ...(imagePath ? { imagePath } : {}) } }));
  return unwrap(
    client.PUT('/api/Rooms/{id}', { params: { path: { id } }, body: { name, imagePath: imagePath ?? null, version } }),
  );
}

/** Adds or renames a house; the site is loaded again before the promise resolves. */
export function useSaveRoom(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: RoomDraft) => saveRoom(siteId, draft),
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
