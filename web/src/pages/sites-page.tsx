import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { SiteList } from '@/features/sites/components/site-list';
import { organizationTypeFor } from '@/lib/organization-types';

/** All sites of the user: the way to their pages (/sites), or to their reservations (/reservations, spec B section 2). */
export function SitesPage({ kind }: { kind: 'sites' | 'reservations' }) {
  const { t } = useTranslation('sites');
  const { isGlobal } = useUser();
  const { data: sites } = useSuspenseQuery(sitesQuery());
  const isReservations = kind === 'reservations';
  const title = isReservations ? t('titleReservations') : t('title');
  return (
    <>
      <PageHeader title={title} />
      {sites.length === 0 ? (
        <EmptyState
          title={isReservations ? t('emptyReservations') : t('empty')}
          hint={isReservations ? t('emptyReservationsHint') : t('emptyHint')}
        />
      ) : (
        <SiteList
          label={title}
          sites={sites}
          showOrganization
          siteLink={(site) =>
            isReservations
              ? { to: '/reservations/$siteId', params: { siteId: site.id } }
              : {
                  to: '/$organizationType/$organizationId/$siteId',
                  params: {
                    organizationType: organizationTypeFor(isGlobal, site.isCommercial),
                    organizationId: site.organizationId,
                    siteId: site.id,
                  },
                }
          }
        />
      )}
    </>
  );
}
