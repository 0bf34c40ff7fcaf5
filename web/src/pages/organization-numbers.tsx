import { useTranslation } from 'react-i18next';
import { NumbersSection } from '@/features/numbers/components/numbers-section';
import type { NumbersSearch } from '@/features/numbers/numbers-search';
import { useChangeSearch } from './use-site-search';

interface OrganizationNumbersProps {
  organizationId: string;
  search: NumbersSearch;
}

/** The numbers of all sites of an organization. */
export function OrganizationNumbers({ organizationId, search }: OrganizationNumbersProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const change = useChangeSearch();
  return (
    <NumbersSection
      scope={{ kind: 'organization', id: organizationId }}
      zone={t('zone.organization')}
      search={search}
      onSearch={change}
    />
  );
}
