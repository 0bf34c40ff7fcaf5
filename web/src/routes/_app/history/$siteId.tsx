import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { orNotFound } from '@/api/or-not-found';
import { tableSearchFields } from '@/components/data-table/table-search';
import { HistoryPageSkeleton } from '@/components/page-skeletons';
import { guestsQuery } from '@/features/guests/api/guests-query';
import { historyDefaults, historySearchFields } from '@/features/history/history-search';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { HistoryPage } from '@/pages/history-page';

const { size, dense } = tableSearchFields;
const search = z.object({ size, dense, ...historySearchFields });

export const Route = createFileRoute('/_app/history/$siteId')({
  staticData: { screen: 'history' },
  validateSearch: search,
  search: { middlewares: [stripSearchParams(historyDefaults)] },
  loader: async ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(guestsQuery(params.siteId));
    await Promise.all([
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      loadTexts('sites', 'history', 'guests', 'reservations', 'houses', 'catalog'),
    ]);
  },
  pendingComponent: HistoryPageSkeleton,
  component: HistoryRoute,
});

function HistoryRoute() {
  return <HistoryPage siteId={Route.useParams().siteId} search={Route.useSearch()} />;
}
