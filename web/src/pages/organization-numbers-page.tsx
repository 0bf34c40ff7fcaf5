import { useSuspenseQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import { lazyNamed } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { TableSkeleton } from '@/components/skeletons';
import type { NumbersSearch } from '@/features/numbers/numbers-search';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { useOrganizationCrumbs } from '@/features/organizations/ui/use-organization-crumbs';
import type { OrganizationType } from '@/lib/organization-types';

/** Comes with its own texts: the address of the page weighs on every screen. */
const OrganizationNumbers = lazyNamed(
  () => import('@/features/numbers/components/organization-numbers'),
  'OrganizationNumbers',
  {
    texts: ['dashboard'],
    fallback: <TableSkeleton rows={8} />,
  },
);

interface OrganizationNumbersPageProps {
  organizationId: string;
  type: OrganizationType;
  search: NumbersSearch;
}

/** The numbers of all sites of an organization, for its owners and for global admins. Others go to the organization. */
export function OrganizationNumbersPage({ organizationId, type, search }: OrganizationNumbersPageProps) {
  const { t } = useTranslation('organizations');
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  const title = t('action.numbers');
  const crumbs = useOrganizationCrumbs(type, organization, title);
  const isAllowed = useCan('numbers.view', { organization });
  if (!isAllowed) {
    return (
      <Navigate
        to="/$organizationType/$organizationId"
        params={{ organizationType: type, organizationId }}
        search={{}}
        replace
      />
    );
  }
  return (
    <>
      <PageHeader title={title} documentTitle={`${title} · ${organization.name}`} breadcrumbs={crumbs} />
      <OrganizationNumbers organization={organization} search={search} />
    </>
  );
}
