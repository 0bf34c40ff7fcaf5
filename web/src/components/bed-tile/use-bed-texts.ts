import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type BedState, bedTypeKey } from './bed-tile.utils';

/** The words on bed tiles, made once for all tiles of a screen. Stable while the language stays. */
export interface BedTexts {
  readonly type: (type: Schemas['Bed']['type']) => string;
  readonly state: (state: BedState) => string;
  readonly days: (count: number) => string;
}

export function useBedTexts(): BedTexts {
  const { t } = useTranslation('houses');
  return useMemo(
    () => ({
      type: (type) => t(`type.${bedTypeKey(type)}`),
      state: (state) => t(`state.${state}`),
      days: (count) => t('days', { count }),
    }),
    [t],
  );
}
