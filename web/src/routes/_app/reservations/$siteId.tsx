import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { orNotFound } from '@/api/or-not-found';
import { tableDefaults, tableSearchFields } from '@/components/data-table/table-search';
import { SitePageSkeleton } from '@/components/page-skeletons';
import { guestsQuery } from '@/features/guests/api/guests-query';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { expectBoard } from '@/features/bed-board/load-board';
import { idSearchField, searchField } from '@/lib/search-field';
import { SiteReservationsPage } from '@/pages/site-reservations-page';

const search = z.object({
  ...tableSearchFields,
  tab: z.catch(z._default(z.enum(['overview', 'reservations', 'guests']), 'overview'), 'overview'),
  /** Id of the reservation whose details are open. */
  reservation: idSearchField,
  /** Id of the bed whose panel is open. */
  bed: idSearchField,
  /** What stands over the tab: the form for a new guest, the bed board. */
  open: searchField(z.enum(['new-guest', 'board'])),
});

export const Route = createFileRoute('/_app/reservations/$siteId')({
  staticData: { screen: 'reservations' },
  validateSearch: search,
  search: { middlewares: [stripSearchParams({ ...tableDefaults, tab: 'overview' })] },
  loader: async ({ context: { queryClient }, params, location }) => {
    expectBoard(location);
    void queryClient.prefetchQuery(guestsQuery(params.siteId));
    await Promise.all([
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      loadTexts('sites', 'houses', 'guests', 'reservations', 'catalog'),
    ]);
  },
  pendingComponent: SitePageSkeleton,
  component: SiteReservationsRoute,
});

function SiteReservationsRoute() {
  return <SiteReservationsPage siteId={Route.useParams().siteId} search={Route.useSearch()} />;
}
