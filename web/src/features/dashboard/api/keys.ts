import type { DashboardTab, ListSearch } from '../dashboard.utils';

/** Keys of the dashboard's queries. */
export const dashboardKeys = {
  list: (tab: DashboardTab, search: ListSearch) => ['dashboard', tab, search] as const,
  totals: (ids: readonly string[]) => ['dashboard', 'totals', ids] as const,
  user: (id: string) => ['dashboard', 'user', id] as const,
  site: (id: string) => ['dashboard', 'site', id] as const,
  organization: (id: string) => ['dashboard', 'organization', id] as const,
  occupancy: (siteId: string | undefined, days: number) => ['dashboard', 'occupancy', siteId ?? 'all', days] as const,
};
