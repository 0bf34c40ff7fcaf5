import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { useMeantFor } from '@/features/houses/ui/use-meant-for';
import { usePlacementRules } from '@/features/houses/ui/use-placement-rules';
import { whyNotOffered } from '../waitlist.utils';

/** Says why none of the vacant beds of a site is offered to a person; null if none is vacant or no reason is known. */
export function useNotOfferedText(site: Schemas['SiteDetails']): (person: Schemas['WaitingGuest']) => string | null {
  const { t } = useTranslation('reservations', { keyPrefix: 'waitlist.notOffered' });
  const beds = useBedTexts();
  const listOf = useMeantFor();
  const rules = usePlacementRules(site);
  return (person) => {
    const why = person.offer ? null : whyNotOffered(person, site.rooms, rules);
    if (why === null) return null;
    if (why.by === 'offers') return t('offers');
    return why.by === 'type' ? t('type', { type: beds.type(why.type) }) : t('rules', { list: listOf(why.misfits) });
  };
}
