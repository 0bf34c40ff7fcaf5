import { useTranslation } from 'react-i18next';
import { ApiError, mustWait } from '@/api/errors';
import { useErrorText } from '@/components/use-error-text';
import { serverNow } from '@/lib/clock';
import { InvitationOverError, UserInfoError } from '../api/sign-in';

/** What a refused proof means at a step: the password there, the code here. */
type Proof = 'signIn.wrong' | 'confirm.invalid';
const REFUSED = new Set(['invalid_grant', 'expired_token']);

/** What a form says after a refusal. */
export interface Failure {
  text: string;
  /** Epoch milliseconds until which the server refuses another try; the form counts down to it. */
  until?: number;
}

/**
 * What to say of a refused sign-in step: how long to wait where the server said so, our own text where its code says
 * enough, else the server's words.
 */
export function useAuthFailure(proof?: Proof): (error: unknown) => Failure {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  return (error) => {
    if (mustWait(error)) {
      return { text: errorText(error), until: serverNow() + error.retryAfterSeconds * 1000 };
    }
    if (error instanceof UserInfoError) return { text: t('userInfoFailed') };
    if (error instanceof InvitationOverError) return { text: t('password.tooLate') };
    if (error instanceof ApiError && error.code === 'access_disabled') return { text: t('signIn.disabled') };
    if (proof && error instanceof ApiError && REFUSED.has(error.code ?? '')) return { text: t(proof) };
    return { text: errorText(error) };
  };
}
