import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns what a field says: the words of a key of ours, or a sentence of the server as it is. */
export function useInvalidText(): (message: string | undefined) => string | undefined {
  const { t } = useTranslation('find');
  return useCallback(
    (message) => (message?.startsWith('find:') ? t(message.slice('find:'.length) as 'invalid.required') : message),
    [t],
  );
}
