import { useTranslation } from 'react-i18next';
import { ApiError, RateLimitedError } from '@/api/errors';
import { useErrorText } from '@/components/use-error-text';
import { UserInfoError } from './api/sign-in';

/** What a refused proof means at a step: the password there, the code here. */
type Proof = 'signIn.wrong' | 'confirm.invalid';
const REFUSED = new Set(['invalid_grant', 'expired_token']);

/**
 * The sentence for a refused sign-in step: how long to wait where the server said so, our own text where its code says
 * enough, else the server's words.
 */
export function useAuthErrorText(proof?: Proof): (error: unknown) => string {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  return (error) => {
    if (error instanceof RateLimitedError && error.retryAfterSeconds) {
      return t('signIn.tooMany', { count: error.retryAfterSeconds });
    }
    if (error instanceof UserInfoError) return t('userInfoFailed');
    if (proof && error instanceof ApiError && REFUSED.has(error.code ?? '')) return t(proof);
    return errorText(error);
  };
}
