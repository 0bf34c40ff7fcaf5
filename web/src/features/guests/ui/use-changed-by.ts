import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ConflictError } from '@/api/errors';
import { serverNow } from '@/lib/clock';
import { formatMoment } from '@/lib/time';

/** Returns true if the bed went to another guest. */
export function isBedTaken(error: unknown): boolean {
  return error instanceof ConflictError && error.code === 'bed-taken';
}

/**
 * Who was faster, in words, for a refusal that names somebody; empty for every other one. Where the bed was lost, it is who
 * put another guest into it: nobody changed this guest. `bed` is the name of that bed.
 */
export function useChangedBy(): (error: unknown, timeZone?: string, bed?: string) => string {
  const { t, i18n } = useTranslation('guests');
  return useCallback(
    (error, timeZone, bed) => {
      const by = error instanceof ConflictError ? error.problem.changedBy : undefined;
      if (!by) return '';
      const time = formatMoment(by.at, i18n.language, serverNow(), timeZone);
      if (isBedTaken(error)) {
        const values = { time, bed: bed ?? t('changedBy.thisBed') };
        if (by.isYou) return t('changedBy.youTook', values);
        return by.name ? t('changedBy.nameTook', { ...values, name: by.name }) : t('changedBy.someoneTook', values);
      }
      if (by.isYou) return t('changedBy.you', { time });
      return by.name ? t('changedBy.name', { name: by.name, time }) : t('changedBy.someone', { time });
    },
    [t, i18n.language],
  );
}
