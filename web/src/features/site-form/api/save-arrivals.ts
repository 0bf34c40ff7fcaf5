import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** Turns the question whether accepted guests have arrived on or off. */
export function useSaveArrivals(siteId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (asksArrival: boolean) =>
      unwrap(client.PUT('/api/Sites/{id}/arrivals', { params: { path: { id: siteId } }, body: { asksArrival } })),
    // What the switch shows afterwards is the server's word.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
        queryClient.invalidateQueries({ queryKey: ['today'] }),
      ]),
  });
}
