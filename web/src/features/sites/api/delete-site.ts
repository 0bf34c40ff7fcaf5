import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** Deletes a site; refused while a bed is occupied or a reservation waits. What still shows the site may finish. */
export function useDeleteSite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(client.DELETE('/api/Sites/{id}', { params: { path: { id } } })),
    onSuccess: async (_answer, id) => {
      queryClient.removeQueries({ queryKey: ['sites', id], type: 'inactive' });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['site-list'] }),
        queryClient.invalidateQueries({ queryKey: ['organizations'] }),
      ]);
    },
  });
}
