import { useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { unwrap } from '@/api/client';
import { interimClient } from '@/features/users/api/interim';

/** What an authenticator app needs: the key as text, and the same in a picture (SVG). */
export interface TotpSetUp {
  secret: string;
  uri: string;
  qrSvg: string;
}

interface RecoveryCodes {
  recoveryCodes: string[];
}

/** Begins: a new key, which counts only after its first code. Needs a fresh proof. */
export function useBeginTotp() {
  return useMutation({ mutationFn: (): Promise<TotpSetUp> => unwrap(interimClient.POST('/api/Users/totp')) });
}

/** Turns it on by its first code; answers the recovery codes, which are shown only now. */
export function useConfirmTotp() {
  return useCodes((code: string) => interimClient.PUT('/api/Users/totp', { body: { token: code } }));
}

/** New recovery codes in place of the present ones. Needs a fresh proof. */
export function useNewRecoveryCodes() {
  return useCodes(() => interimClient.POST('/api/Users/totp/recoveryCodes'));
}

/** Turns it off. Needs a fresh proof. */
export function useEndTotp() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (): Promise<unknown> => unwrap(interimClient.DELETE('/api/Users/totp')),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
}

function useCodes<Argument>(call: (argument: Argument) => ReturnType<typeof interimClient.PUT>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (argument: Argument): Promise<RecoveryCodes> => unwrap(call(argument)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
}
