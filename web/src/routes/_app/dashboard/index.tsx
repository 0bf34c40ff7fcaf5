import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { dashboardDefaults, dashboardSearch } from '@/features/dashboard/dashboard-search';
import { loadTexts } from '@/i18n/i18n';
import { DashboardPage } from '@/features/dashboard/components/dashboard-page';
import { TodaySummary } from '@/pages/today-summary';

/** The platform dashboard, below what needs a decision today; who is no global admin goes to the start page (spec A section 2). */
export const Route = createFileRoute('/_app/dashboard/')({
  staticData: { screen: 'dashboard', who: 'dashboard.view' },
  validateSearch: dashboardSearch,
  search: { middlewares: [stripSearchParams(dashboardDefaults)] },
  loader: () => loadTexts('dashboard'),
  pendingComponent: TablePageSkeleton,
  component: DashboardRoute,
});

function DashboardRoute() {
  return <DashboardPage type="organizations" search={Route.useSearch()} lead={<TodaySummary />} />;
}
