import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { useMeantFor } from '@/features/houses/ui/use-meant-for';
import type { BedFit } from './bed-fit.utils';

/** Why a vacant bed fits the guest, and what speaks against it. */
export interface FitTexts {
  readonly fit: string | null;
  readonly warning: string | null;
}

/** Says how a bed fits a guest; `isBest` of the one that is proposed. */
export function useFitTexts(): (fit: BedFit, isBest: boolean) => FitTexts {
  const { t } = useTranslation('reservations');
  const { type: nameOf } = useBedTexts();
  const listOf = useMeantFor();
  return useCallback(
    ({ bed, isNeededType, company, misfits }, isBest) => {
      const type = nameOf(bed.type);
      if (misfits.length > 0) {
        return {
          fit: isNeededType ? t('fit.type', { type }) : null,
          warning: t('fit.misfit', { list: listOf(misfits) }),
        };
      }
      const warning = company === 'other' ? t('fit.otherCompany') : null;
      if (!isBest) return { fit: isNeededType ? t('fit.type', { type }) : null, warning };
      const isSame = company === 'same';
      if (isNeededType) return { fit: t(isSame ? 'fit.bestTypeCompany' : 'fit.bestType', { type }), warning };
      return { fit: t(isSame ? 'fit.bestCompany' : 'fit.first'), warning };
    },
    [t, nameOf, listOf],
  );
}
