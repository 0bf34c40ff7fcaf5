import { useTranslation } from 'react-i18next';
import { useChangeSearch } from '@/components/use-change-search';
import { NumbersSection } from './numbers-section';
import type { NumbersSearch } from '../numbers-search';

interface OrganizationNumbersProps {
  organization: { id: string; name: string };
  search: NumbersSearch;
}

/** The numbers of all sites of an organization. */
export function OrganizationNumbers({ organization, search }: OrganizationNumbersProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const change = useChangeSearch<'/$organizationType/$organizationId/numbers'>();
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
