import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { dashboardDefaults, dashboardSearch } from '@/features/dashboard/dashboard-search';
import { loadTexts } from '@/i18n/i18n';
import { parseOrganizationType } from '@/lib/organization-types';
import { DashboardPage } from '@/features/dashboard/components/dashboard-page';

/** The dashboard of one kind of organizations; an unknown kind shows all (spec A section 2, Route table). */
export const Route = createFileRoute('/_app/dashboard/$organizationType')({
  staticData: { screen: 'dashboard', who: 'dashboard.view' },
  validateSearch: dashboardSearch,
  search: { middlewares: [stripSearchParams(dashboardDefaults)] },
  beforeLoad: ({ params }) => {
    const type = parseOrganizationType(params.organizationType);
    if (type === undefined || type === 'organizations') throw redirect({ to: '/dashboard', replace: true });
  },
  loader: () => loadTexts('dashboard'),
  pendingComponent: TablePageSkeleton,
  component: DashboardRoute,
});

function DashboardRoute() {
  const type = parseOrganizationType(Route.useParams().organizationType) ?? 'organizations';
  return <DashboardPage type={type} search={Route.useSearch()} />;
}
