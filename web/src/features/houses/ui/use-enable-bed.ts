import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { orMadeAlready } from '@/api/lost-answer';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { siteQuery } from '@/features/sites/api/site-query';
import { useSaveBed } from '../api/save-bed';
import { type Bed, draftOf } from '../houses.utils';

/** Enables a disabled bed, which needs no question, and says what came of it. */
export function useEnableBed(siteId: string): (bed: Bed) => Promise<void> {
  const { t } = useTranslation('houses');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { mutateAsync: saveBed } = useSaveBed(siteId);
  return useCallback(
    async (bed) => {
      try {
        await orMadeAlready<Bed>(
          () => saveBed({ ...draftOf(bed), disabled: false }),
          async () => {
            const site = await queryClient
              .fetchQuery({ ...siteQuery(siteId), staleTime: 0, networkMode: 'always' })
              .catch(() => null);
            const beds = site?.rooms.flatMap((room) => room.beds) ?? [];
            return beds.find(({ id, disabled }) => id === bed.id && !disabled) ?? null;
          },
        );
        toast.success(t('done.bedEnabled', { bed: bed.name }), { about: `bed:${bed.id}` });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast.error(errorText(error), { about: `bed:${bed.id}` });
      }
    },
    [queryClient, siteId, saveBed, t, errorText],
  );
}
