import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ConflictError } from '@/api/errors';
import { serverNow } from '@/lib/clock';
import { formatMoment } from '@/lib/time';

/** Who was faster, in words, for a refusal that names somebody; empty for every other one. */
export function useChangedBy(): (error: unknown, timeZone?: string) => string {
  const { t, i18n } = useTranslation('guests');
  return useCallback(
    (error, timeZone) => {
      const by = error instanceof ConflictError ? error.problem.changedBy : undefined;
      if (!by) return '';
      const time = formatMoment(by.at, i18n.language, serverNow(), timeZone);
      if (by.isYou) return t('changedBy.you', { time });
      return by.name ? t('changedBy.name', { name: by.name, time }) : t('changedBy.someone', { time });
    },
    [t, i18n.language],
  );
}
