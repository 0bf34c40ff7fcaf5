import i18next from 'i18next';
import { useCallback } from 'react';
import type { FieldError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** The text of a field's error: ours by key below `organizations:`, the server's as it came. */
export function useMessage(): (error: FieldError | undefined) => string | undefined {
  const { t } = useTranslation('organizations');
  return useCallback(
    (error) => {
      const message = error?.message;
      if (!message || error.type === 'server' || !i18next.exists(message, { ns: 'organizations' })) return message;
      return t(message as 'error.name');
    },
    [t],
  );
}
