import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

/** Which messages about reservations the user gets. */
export type MessageSettings = Schemas['MessageSettings'];

/** The places of the user with and without messages, and the quiet hours. */
export const messageSettingsQuery = queryOptions({
  queryKey: ['own-messages'],
  queryFn: ({ signal }) => unwrap(client.GET('/api/Users/messages', { signal })),
  staleTime: 0,
});

/** Chooses the places and the quiet hours. */
export function useChooseMessages() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (choice: Schemas['MessageChoice']) => unwrap(client.PUT('/api/Users/messages', { body: choice })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: messageSettingsQuery.queryKey }),
  });
}
