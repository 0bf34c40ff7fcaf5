import { useMutation } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** Proves the password again: sensitive changes are then taken for five minutes. */
export function useProve() {
  return useMutation({
    mutationFn: (password: string) => unwrap(client.POST('/connect/prove', { body: { password } })),
  });
}
