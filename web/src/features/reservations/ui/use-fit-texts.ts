import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import type { PlacementRules } from '@/features/houses/ui/meant-for.utils';
import { useMeantFor } from '@/features/houses/ui/use-meant-for';
import { type BedFit, type Company, isFor } from './bed-fit.utils';

/** Why a vacant bed fits the guest, and what speaks against it. */
export interface FitTexts {
  readonly fit: string | null;
  readonly warning: string | null;
}

/** What speaks against a bed, by what comes of it. */
const MISFIT_TEXTS = {
  warned: 'fit.misfit',
  'needs-reason': 'fit.misfitReason',
  refused: 'fit.misfitRefused',
} as const;

/** What speaks for the proposed bed, by who lives in its house. */
const BEST = {
  same: { ofNeededType: 'fit.bestTypeCompany', ofAnyType: 'fit.bestCompany' },
  mixed: { ofNeededType: 'fit.bestTypeMixed', ofAnyType: 'fit.firstMixed' },
  open: { ofNeededType: 'fit.bestType', ofAnyType: 'fit.first' },
  other: { ofNeededType: 'fit.bestType', ofAnyType: 'fit.first' },
} as const satisfies Record<Company, object>;

/** Names what speaks against a bed by the placement rules, and what comes of it. */
export function useMisfitText({ breach }: PlacementRules): (misfits: readonly string[]) => string {
  const { t } = useTranslation('reservations');
  const listOf = useMeantFor();
  return useCallback((misfits) => t(MISFIT_TEXTS[breach], { list: listOf(misfits) }), [t, listOf, breach]);
}

/** Says how a bed fits a guest; `isBest` of the one that is proposed. */
export function useFitTexts(rules: PlacementRules): (fit: BedFit, isBest: boolean) => FitTexts {
  const { t } = useTranslation('reservations');
  const { type: nameOf } = useBedTexts();
  const misfitText = useMisfitText(rules);
  return useCallback(
    (bedFit, isBest) => {
      const { bed, isNeededType, company, misfits } = bedFit;
      if (!isFor(bedFit)) return { fit: null, warning: misfitText(misfits) };
      const type = nameOf(bed.type);
      const warning = company === 'other' ? t('fit.otherCompany') : null;
      if (!isBest) return { fit: isNeededType ? t('fit.type', { type }) : null, warning };
      return { fit: t(BEST[company][isNeededType ? 'ofNeededType' : 'ofAnyType'], { type }), warning };
    },
    [t, nameOf, misfitText],
  );
}
