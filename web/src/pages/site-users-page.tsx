import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TableSearch } from '@/components/data-table/data-table.types';
import { PageHeader } from '@/components/page-header';
import { useChangeSearch } from '@/components/use-change-search';
import { siteQuery } from '@/features/sites/api/site-query';
import { SiteUsersTable } from '@/features/users/components/site-users-table';

interface SiteUsersPageProps {
  siteId: string;
  search: TableSearch;
}

/** Who works at one site: invitations, roles, access (spec A section 2, Site user management). */
export function SiteUsersPage({ siteId, search }: SiteUsersPageProps) {
  const { t } = useTranslation('users');
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const change = useChangeSearch<'/user-management/$siteId'>();
  return (
    <>
      <PageHeader
        title={t('title', { site: site.name })}
        breadcrumbs={[{ label: t('sitesTitle'), link: { to: '/user-management' } }, { label: site.name }]}
      />
      <SiteUsersTable
        site={site}
        kind="management"
        search={search}
        onSearch={(next) => change(next, { replace: true })}
      />
    </>
  );
}
