import { useTranslation } from 'react-i18next';
import { RateLimitedError } from '@/api/errors';
import { useErrorText } from '@/components/use-error-text';

/** The sentence for a refused sign-in step: how long to wait where the server said so, else the server's own words. */
export function useAuthErrorText(): (error: unknown) => string {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  return (error) => {
    if (error instanceof RateLimitedError && error.retryAfterSeconds) {
      return t('signIn.tooMany', { count: error.retryAfterSeconds });
    }
    return errorText(error);
  };
}
