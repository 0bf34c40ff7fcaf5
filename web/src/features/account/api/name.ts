import { useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { client, unwrap } from '@/api/client';

/** Sets the own name. */
export function useSetName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: { firstName: string; lastName: string }) =>
      unwrap(client.PUT('/api/Users/name', { body: name })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
}
