import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { orNotFound } from '@/api/or-not-found';
import { tableDefaults, tableSearchFields } from '@/components/data-table/table-search';
import { SitePageSkeleton } from '@/components/page-skeletons';
import { guestsQuery } from '@/features/guests/api/guests-query';
import { historyDefaults, historySearchFields } from '@/features/history/history-search';
import { numbersSearchFields } from '@/features/numbers/numbers-search';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { organizationKindRedirect, parseOrganizationType } from '@/lib/organization-types';
import { expectBoard } from '@/features/bed-board/load-board';
import { idSearchField, searchField } from '@/lib/search-field';
import { SitePage } from '@/pages/site-page';

const search = z.object({
  ...tableSearchFields,
  ...historySearchFields,
  ...numbersSearchFields,
  tab: z.catch(
    z._default(z.enum(['information', 'houses', 'reservations', 'guests', 'history', 'numbers', 'users']), 'houses'),
    'houses',
  ),
  /** Bed tab of the Houses tab. */
  beds: z.catch(z._default(z.enum(['all', 'vacant', 'occupied']), 'all'), 'all'),
  /** The type of the beds of the Houses tab. */
  bedType: searchField(z.enum(['Detox', 'Treatment', 'Sober Living'])),
  /** Id of the reservation whose details are open. */
  reservation: idSearchField,
  /** Id of the bed whose panel is open. */
  bed: idSearchField,
  /** What stands over the tab: the form for a new guest, the bed board. */
  open: searchField(z.enum(['new-guest', 'board'])),
});

/** A site below its organization; a wrong organization id or kind leads to the right one (spec A section 2). */
export const Route = createFileRoute('/_app/$organizationType/$organizationId/$siteId')({
  staticData: { screen: 'site' },
  validateSearch: search,
  search: {
    middlewares: [stripSearchParams({ ...tableDefaults, ...historyDefaults, tab: 'houses', beds: 'all' })],
  },
  loader: async ({ context: { queryClient }, params, location }) => {
    expectBoard(location);
    void queryClient.prefetchQuery(guestsQuery(params.siteId));
    const [site] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      loadTexts('sites', 'houses', 'guests', 'reservations', 'organizations', 'catalog'),
    ]);
    const href = location.href.replace(params.organizationId, site.organizationId);
    const target = organizationKindRedirect(href, site.isCommercial) ?? href;
    if (target !== location.href) throw redirect({ href: target, replace: true });
    return { type: parseOrganizationType(params.organizationType) ?? 'organizations' };
  },
  pendingComponent: SitePageSkeleton,
  component: SiteRoute,
});

function SiteRoute() {
  const { siteId } = Route.useParams();
  return <SitePage siteId={siteId} type={Route.useLoaderData().type} search={Route.useSearch()} />;
}
