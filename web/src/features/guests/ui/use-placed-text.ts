import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { fullName, placeOf } from './guest-facts.utils';

/** Says which bed a guest has now, or which one is reserved until the guest arrives. */
export function usePlacedText(): (guest: Schemas['Guest']) => string {
  const { t } = useTranslation('guests');
  return (guest) => {
    const place = placeOf(guest);
    const names = { guest: fullName(guest), place: place ? t('place', place) : t('noPlace') };
    return t(guest.isArriving ? 'outcome.reserved' : 'outcome.placed', names);
  };
}
