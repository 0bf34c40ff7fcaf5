import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog, lazyNamed } from '@/components/lazy-named';
import { dashboardSiteQuery, sitesPageQuery, siteTotalsQuery } from '../api/dashboard-queries';
import classes from './dashboard.module.css';
import { DashboardList } from './dashboard-list';
import { SiteTotals } from './site-totals';
import { useSiteColumns } from './use-dashboard-columns';
import { type DashboardListProps, useDashboardList } from './use-dashboard-list';
import { useOpened } from './use-opened';

const SiteDialog = lazyDialog(() => import('./site-dialog'), 'SiteDialog');
const OccupancyPanel = lazyNamed(() => import('./occupancy-panel'), 'OccupancyPanel');

/** The most rows whose totals the server adds up at once. */
const MOST_SELECTED = 1000;

/** The sites of the platform, with the totals of the selected ones or of all (spec A section 2, Sites tab). */
export function SitesTable(props: DashboardListProps) {
  const { search, onChange, kind } = props;
  const { t } = useTranslation('dashboard');
  const list = useDashboardList('sites', props, sitesPageQuery);
  const ids = useMemo(() => Object.keys(list.selected).slice(0, MOST_SELECTED).toSorted(), [list.selected]);
  const { data: selectedTotals } = useQuery(siteTotalsQuery(ids));
  const totals = ids.length > 0 ? selectedTotals : list.page?.totals;
  const close = () => onChange({ open: undefined });
  const opened = useOpened({ id: search.open, rows: list.page?.items, query: dashboardSiteQuery, onClose: close });

  return (
    <Stack gap="lg">
      {totals ? <SiteTotals totals={totals} isSelection={ids.length > 0} /> : null}
      <DashboardList
        list={list}
        columns={useSiteColumns()}
        rowName={({ name }) => name}
        onRowClick={({ id }) => onChange({ open: id })}
        className={classes.wide}
      />
      {kind === undefined ? <OccupancyPanel title={t('occupancy.all')} /> : null}
      <SiteDialog subject={opened} onClose={close} />
    </Stack>
  );
}
