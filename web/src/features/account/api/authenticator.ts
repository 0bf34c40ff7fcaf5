import { useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { client, type Schemas, unwrap } from '@/api/client';

/** What an authenticator app needs: the key as text, and the same in a picture (SVG). */
export type TotpSetUp = Schemas['AuthenticatorSetup'];

/** Begins: a new key, which counts only after its first code. Needs a fresh proof. */
export function useBeginTotp() {
  return useMutation({ mutationFn: () => unwrap(client.POST('/api/Users/totp')) });
}

/** Turns it on by its first code; answers the recovery codes, which are shown only now. */
export function useConfirmTotp() {
  return useCodes((code: string) => unwrap(client.PUT('/api/Users/totp', { body: { token: code } })));
}

/** New recovery codes in place of the present ones. Needs a fresh proof. */
export function useNewRecoveryCodes() {
  return useCodes(() => unwrap(client.POST('/api/Users/totp/recoveryCodes')));
}

/** Turns it off. Needs a fresh proof. */
export function useEndTotp() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(client.DELETE('/api/Users/totp')),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
}

function useCodes<Argument>(mutationFn: (argument: Argument) => Promise<Schemas['RecoveryCodes']>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
}
