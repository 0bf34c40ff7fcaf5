import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ApiError,
  NetworkError,
  NotFoundError,
  OfflineError,
  PendingChangeError,
  RateLimitedError,
} from '@/api/errors';
import { formatWait } from '@/lib/format';

/** The sentence to show for an error: ours where the class says enough, else the server's own. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (error) => {
      if (error instanceof OfflineError) return t('error.offline');
      if (error instanceof NetworkError) return t('error.network');
      if (error instanceof NotFoundError) return t('error.notFound');
      if (error instanceof PendingChangeError) return t('error.pendingChange');
      if (error instanceof RateLimitedError && error.retryAfterSeconds) {
        return t('error.wait', { wait: formatWait(error.retryAfterSeconds, i18n.language) });
      }
      if (error instanceof ApiError) return error.message;
      return t('error.unexpected');
    },
    [t, i18n],
  );
}
