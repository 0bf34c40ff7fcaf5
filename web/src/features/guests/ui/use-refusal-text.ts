import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ConflictError } from '@/api/errors';
import { useErrorText } from '@/components/use-error-text';
import { hasBed, shownStatus } from './guest-facts.utils';
import { knownTimeZone } from './known-time-zone';
import { useChangedBy } from './use-changed-by';

/** Returns the sentence for an error; after a conflict also how the guest stands now, and who was faster, in the time of the site. */
export function useRefusalText(): (error: unknown) => string {
  const { t } = useTranslation('guests');
  const errorText = useErrorText();
  const changedBy = useChangedBy();
  const queryClient = useQueryClient();
  return useCallback(
    (error) => {
      const now = error instanceof ConflictError ? error.problem.guest : undefined;
      const state = now && t('decide.nowIs', { status: t(`status.${shownStatus(now)}`) });
      // The status is the same before and after.
      const arrived = now?.arrivedAt && hasBed(now) && `${t('arrival.arrived')}.`;
      return [errorText(error), state, arrived, changedBy(error, now && knownTimeZone(queryClient, now.siteId))]
        .filter(Boolean)
        .join(' ');
    },
    [t, errorText, changedBy, queryClient],
  );
}
