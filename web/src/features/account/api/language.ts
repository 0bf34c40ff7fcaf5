import { useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { client, unwrap } from '@/api/client';
import type { Language } from '@/lib/preferences';

/** Tells the server in which language its mails and messages to the user are written. */
export function useSaveLanguage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (language: Language) => unwrap(client.PUT('/api/Users/language', { body: { language } })),
    onSuccess: (_answer, language) =>
      queryClient.setQueryData(currentUserQuery.queryKey, (user) => (user ? { ...user, language } : user)),
  });
}
