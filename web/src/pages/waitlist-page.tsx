import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Counts } from '@/components/counts';
import { PageHeader } from '@/components/page-header';
import { siteQuery } from '@/features/sites/api/site-query';
import { Waitlist } from '@/features/waitlist/components/waitlist';

/** The people who wait for a bed at a site, and the offers of freed beds to them. */
export function WaitlistPage({ siteId }: { siteId: string }) {
  const { t } = useTranslation(['waitlist', 'sites']);
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  return (
    <>
      <PageHeader
        title={t('pageTitle', { site: site.name })}
        breadcrumbs={[
          { label: site.name, link: { to: '/reservations/$siteId', params: { siteId } } },
          { label: t('title') },
        ]}
        counts={<Counts {...site.counts} />}
      />
      <Waitlist site={site} />
    </>
  );
}
