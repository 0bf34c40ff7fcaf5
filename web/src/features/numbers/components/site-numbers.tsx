import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { ChangeSearch } from '@/components/use-change-search';
import { NumbersSection } from './numbers-section';
import type { NumbersSearch } from '../numbers-search';
import { zoneNameAllYear } from '@/lib/time';

interface SiteNumbersProps {
  site: Schemas['SiteDetails'];
  search: NumbersSearch;
  onSearch: ChangeSearch<NumbersSearch>;
}

/** The numbers of a site, for those who run it. */
export function SiteNumbers({ site, search, onSearch }: SiteNumbersProps) {
  const { t, i18n } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  return (
    <NumbersSection
      scope={{ kind: 'site', id: site.id }}
      place={site}
      zone={t('zone.site', { zone: zoneNameAllYear(i18n.language, site.timeZone) })}
      search={search}
      onSearch={onSearch}
    />
  );
}
