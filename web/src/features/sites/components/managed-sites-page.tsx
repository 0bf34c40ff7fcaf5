import { Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { sitesQuery } from '../api/sites-query';
import { SiteList } from './site-list';

/** The sites whose users the user may manage: the way to them (spec A section 2, Site user management). */
export function ManagedSitesPage() {
  const { t } = useTranslation('users');
  const user = useUser();
  const { data: sites } = useSuspenseQuery(sitesQuery());
  const managed = sites.filter((site) => can(user, 'site.manageUsers', { site }));
  return (
    <>
      <PageHeader title={t('sitesTitle')} />
      {managed.length === 0 ? (
        <EmptyState icon={<Users size={32} strokeWidth={1.5} />} title={t('sitesEmpty')} hint={t('sitesEmptyHint')} />
      ) : (
        <>
          <Text c="dimmed" mb="md">
            {t('sitesHint')}
          </Text>
          <SiteList
            label={t('sitesTitle')}
            sites={managed}
            showOrganization
            siteLink={(site) => ({ to: '/user-management/$siteId', params: { siteId: site.id } })}
          />
        </>
      )}
    </>
  );
}
