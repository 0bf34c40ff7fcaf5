import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router';
import { can } from '@/access/can';
import { orNotFound } from '@/api/or-not-found';
import { tableDefaults, tableSearch } from '@/components/data-table/table-search';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { siteQuery } from '@/features/sites/api/site-query';
import { siteUsersQuery } from '@/features/users/api/site-users-query';
import { loadTexts } from '@/i18n/i18n';
import { SiteUsersPage } from '@/pages/site-users-page';

/** The users of one site; who may not manage them goes to the start page (spec A section 6). */
export const Route = createFileRoute('/_app/user-management/$siteId')({
  staticData: { screen: 'siteUsers' },
  validateSearch: tableSearch,
  search: { middlewares: [stripSearchParams(tableDefaults)] },
  loader: async ({ context: { queryClient, user }, params }) => {
    const [site] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      loadTexts('users'),
    ]);
    if (!can(user, 'site.manageUsers', { site })) throw redirect({ to: '/', replace: true });
    void queryClient.prefetchQuery(siteUsersQuery(site.id));
  },
  pendingComponent: TablePageSkeleton,
  component: SiteUsersRoute,
});

function SiteUsersRoute() {
  return <SiteUsersPage siteId={Route.useParams().siteId} search={Route.useSearch()} />;
}
