import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Counts } from '@/components/counts';
import { PageHeader } from '@/components/page-header';
import { useChangeSearch } from '@/components/use-change-search';
import type { HistorySearch } from '@/features/history/history-search';
import { siteQuery } from '@/features/sites/api/site-query';
import { HistorySection } from './history-section';

interface HistoryPageProps {
  siteId: string;
  search: HistorySearch;
}

/** The history of one site (spec B section 2). */
export function HistoryPage({ siteId, search }: HistoryPageProps) {
  const { t } = useTranslation('sites');
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const change = useChangeSearch<'/history/$siteId'>();
  return (
    <>
      <PageHeader
        title={site.name}
        breadcrumbs={[{ label: t('titleHistory'), link: { to: '/history' } }, { label: site.name }]}
        counts={<Counts {...site.counts} />}
      />
      <HistorySection site={site} search={search} onSearch={change} />
    </>
  );
}
