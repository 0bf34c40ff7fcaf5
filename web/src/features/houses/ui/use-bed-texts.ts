import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { formatDay, formatShortDay } from '@/lib/time';
import { type BedWaiting, bedTypeKey, type ShownBedState } from './bed-tile.utils';

/** The words on bed tiles, made once for all tiles of a screen. Stable while the language stays. */
export interface BedTexts {
  readonly type: (type: Schemas['Bed']['type']) => string;
  readonly state: (state: ShownBedState) => string;
  readonly days: (count: number) => string;
  readonly waiting: (waiting: BedWaiting) => string;
  /** When the guest is expected to leave. */
  readonly leaves: (day: string) => string;
  /** What a disabled bed waits for, and why. */
  readonly outage: (kind: Schemas['OutageKind'], reason: string | null) => string;
  /** When a disabled bed is, or was, expected back. */
  readonly expectedBack: (day: string, isOverdue: boolean) => string;
}

export function useBedTexts(): BedTexts {
  const { t, i18n } = useTranslation('houses');
  return useMemo(
    () => ({
      type: remembered((type) => t(`type.${bedTypeKey(type)}`)),
      state: remembered((state) => t(`state.${state}`)),
      waiting: remembered((waiting) => t(`waiting.${waiting}`)),
      outage: (kind, reason) =>
        reason === null ? t(`outage.${kind}`) : t('outage.because', { kind: t(`outage.${kind}`), reason }),
      expectedBack: (day, isOverdue) =>
        t(isOverdue ? 'wasExpectedBack' : 'expectedBack', { day: formatDay(day, i18n.language) }),
      leaves: remembered((day) => t('leaves', { day: formatShortDay(day, i18n.language) })),
      days: remembered((count) => t('days', { count })),
    }),
    [t, i18n.language],
  );
}

/** A large site has 500 tiles and a handful of words. */
function remembered<Key>(say: (key: Key) => string): (key: Key) => string {
  const said = new Map<Key, string>();
  return (key) => {
    let words = said.get(key);
    if (words === undefined) {
      words = say(key);
      said.set(key, words);
    }
    return words;
  };
}
