import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

/** An open session of the signed-in user. */
export type Session = Schemas['Session'];

/** Where the user is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: ({ signal }) => unwrap(client.GET('/api/Users/sessions', { signal })),
  staleTime: 0,
});

/** Ends another session of the user. */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(client.DELETE('/api/Users/sessions/{id}', { params: { path: { id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Ends every session of the user, this one too. */
export function useSignOutEverywhere() {
  return useMutation({ mutationFn: () => unwrap(client.DELETE('/api/Users/sessions')) });
}
