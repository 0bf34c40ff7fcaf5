import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { NumbersSection } from '@/features/numbers/components/numbers-section';
import type { NumbersSearch } from '@/features/numbers/numbers-search';
import { zoneNameAllYear } from '@/lib/time';
import type { ChangeSearch } from './use-site-search';

interface SiteNumbersProps {
  site: Schemas['SiteDetails'];
  search: NumbersSearch;
  onSearch: ChangeSearch;
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
