import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { NameMark } from '@/components/name-mark';
import { PageHeader } from '@/components/page-header';
import { CardsSkeleton } from '@/components/skeletons';
import { StatusBadge } from '@/components/status-badge';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { SiteList } from '@/features/sites/components/site-list';
import type { OrganizationType } from '@/lib/organization-types';

interface OrganizationPageProps {
  organizationId: string;
  type: OrganizationType;
}

/** One organization with its sites (spec A section 2, Organization detail). */
export function OrganizationPage({ organizationId, type }: OrganizationPageProps) {
  const { t } = useTranslation('organizations');
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  return (
    <>
      <PageHeader
        title={organization.name}
        icon={<NameMark name={organization.name} imagePath={organization.logoPath} size={48} />}
        badge={organization.isDisabled ? <StatusBadge tone="gray">{t('disabled')}</StatusBadge> : null}
        breadcrumbs={[
          { label: t(`title.${type}`), link: { to: '/$organizationType', params: { organizationType: type } } },
          { label: organization.name },
        ]}
      />
      <OrganizationSites organizationId={organizationId} type={type} />
    </>
  );
}

function OrganizationSites({ organizationId, type }: OrganizationPageProps) {
  const { t } = useTranslation('organizations');
  const { data: sites, isPending, error, refetch } = useQuery(sitesQuery(organizationId));
  if (isPending) return <CardsSkeleton cards={3} height={170} />;
  if (!sites) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (sites.length === 0) return <EmptyState title={t('sitesEmpty')} hint={t('sitesEmptyHint')} />;
  return (
    <SiteList
      label={t('sites')}
      sites={sites}
      siteLink={(site) => ({
        to: '/$organizationType/$organizationId/$siteId',
        params: { organizationType: type, organizationId, siteId: site.id },
      })}
    />
  );
}
