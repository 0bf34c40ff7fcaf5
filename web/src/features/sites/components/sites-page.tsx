import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { sitesQuery } from '../api/sites-query';
import { SiteList } from './site-list';
import { organizationTypeFor } from '@/lib/organization-types';

type Kind = 'sites' | 'reservations' | 'history';

/** The words of each list. */
const WORDS = {
  sites: { title: 'title', empty: 'empty', hint: 'emptyHint' },
  reservations: { title: 'titleReservations', empty: 'emptyReservations', hint: 'emptyReservationsHint' },
  history: { title: 'titleHistory', empty: 'emptyHistory', hint: 'emptyHistoryHint' },
} as const;

/** All sites of the user: the way to their pages, their reservations or their history (spec B section 2). */
export function SitesPage({ kind }: { kind: Kind }) {
  const { t } = useTranslation('sites');
  const { isGlobal } = useUser();
  const { data: sites } = useSuspenseQuery(sitesQuery());
  const words = WORDS[kind];
  const title = t(words.title);
  const linkOf = (site: Schemas['SiteSummary']) =>
    kind === 'sites'
      ? ({
          to: '/$organizationType/$organizationId/$siteId',
          params: {
            organizationType: organizationTypeFor(isGlobal, site.isCommercial),
            organizationId: site.organizationId,
            siteId: site.id,
          },
        } as const)
      : ({ to: `/${kind}/$siteId`, params: { siteId: site.id } } as const);
  return (
    <>
      <PageHeader title={title} />
      {sites.length === 0 ? (
        <EmptyState title={t(words.empty)} hint={t(words.hint)} />
      ) : (
        <SiteList label={title} sites={sites} showOrganization siteLink={linkOf} />
      )}
    </>
  );
}
