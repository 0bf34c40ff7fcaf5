import { useMutation, useQueryClient } from '@tanstack/react-query';
import { announceSignIn } from '@/access/end-session';
import { fetchUser, sendCode, token } from './sign-in';

/** Sends a code to the phone that is known, or to a new one where none is. */
export function useSendCode() {
  return useMutation({ mutationFn: (phone?: string) => sendCode(phone) });
}

/** The last step: the code for a session. */
export function useConfirmCode() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) => {
      await token({ grant_type: 'two_factor_exchange', otp: code });
      announceSignIn();
      return fetchUser(queryClient);
    },
  });
}
