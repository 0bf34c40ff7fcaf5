import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';

/** Enables a disabled bed, which needs no question, and says what came of it. */
export function useEnableBed(siteId: string): (bed: Bed) => Promise<void> {
  const { t } = useTranslation('houses');
  const errorText = useErrorText();
  const { mutateAsync: saveBed } = useSaveBed(siteId);
  return useCallback(
    async (bed) => {
      try {
        await saveBed({ ...draftOf(bed), disabled: false });
        toast.success(t('done.bedEnabled', { bed: bed.name }), { about: `bed:${bed.id}` });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast.error(errorText(error), { about: `bed:${bed.id}` });
      }
    },
    [saveBed, t, errorText],
  );
}
