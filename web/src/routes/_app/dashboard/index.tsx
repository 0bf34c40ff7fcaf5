import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router';
import { can } from '@/access/can';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { dashboardDefaults, dashboardSearch } from '@/features/dashboard/dashboard-search';
import { loadTexts } from '@/i18n/i18n';
import { DashboardPage } from '@/features/dashboard/components/dashboard-page';

/** The platform dashboard; who is no global admin goes to the start page (spec A section 2). */
export const Route = createFileRoute('/_app/dashboard/')({
  staticData: { screen: 'dashboard' },
  validateSearch: dashboardSearch,
  search: { middlewares: [stripSearchParams(dashboardDefaults)] },
  beforeLoad: ({ context: { user } }) => {
    if (!can(user, 'dashboard.view')) throw redirect({ to: '/', replace: true });
  },
  loader: () => loadTexts('dashboard'),
  pendingComponent: TablePageSkeleton,
  component: DashboardRoute,
});

function DashboardRoute() {
  return <DashboardPage type="organizations" search={Route.useSearch()} />;
}
