import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ApiError,
  ConflictError,
  NetworkError,
  NotFoundError,
  OfflineError,
  mustWait,
  PendingChangeError,
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
      if (isOwnChange(error)) return t('error.changedByYou');
      if (mustWait(error)) {
        return t('error.wait', { wait: formatWait(error.retryAfterSeconds, i18n.language) });
      }
      if (error instanceof ApiError) return error.message;
      return t('error.unexpected');
    },
    [t, i18n],
  );
}

/** Whether the record has changed since it was shown, by an earlier change of the same user. */
function isOwnChange(error: unknown): boolean {
  return error instanceof ConflictError && error.code === 'stale' && error.problem.changedBy?.isYou === true;
}
