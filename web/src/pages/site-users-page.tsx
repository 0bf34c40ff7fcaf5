import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TableState } from '@/components/data-table/data-table.types';
import { PageHeader } from '@/components/page-header';
import { useChangeSearch } from '@/components/use-change-search';
import { siteQuery } from '@/features/sites/api/site-query';
import { SiteUsersTable } from '@/features/users/components/site-users-table';

interface SiteUsersPageProps {
  siteId: string;
  state: TableState;
}

/** Who works at one site: invitations, roles, access (spec A section 2, Site user management). */
export function SiteUsersPage({ siteId, state }: SiteUsersPageProps) {
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
        state={{ ...state, sort: state.sort ?? 'email' }}
        onStateChange={(next) => change(next, { replace: true })}
      />
    </>
  );
}
