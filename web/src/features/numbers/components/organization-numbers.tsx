import { useTranslation } from 'react-i18next';
import { NumbersSection } from '@/features/numbers/components/numbers-section';
import type { NumbersSearch } from '@/features/numbers/numbers-search';
import { useChangeSearch } from './use-site-search';

interface OrganizationNumbersProps {
  organization: { id: string; name: string };
  search: NumbersSearch;
}

/** The numbers of all sites of an organization. */
export function OrganizationNumbers({ organization, search }: OrganizationNumbersProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const change = useChangeSearch();
  return (
    <NumbersSection
      scope={{ kind: 'organization', id: organization.id }}
      place={organization}
      zone={t('zone.organization')}
      search={search}
      onSearch={change}
    />
  );
}
