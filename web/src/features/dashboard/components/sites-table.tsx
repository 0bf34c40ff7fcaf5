import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/data-table/data-table';
import { EmptyState } from '@/components/empty-state';
import { SearchInput } from '@/components/search-input';
import { lazyDialog, lazyNamed } from '@/components/lazy-named';
import { dashboardSiteQuery, sitesPageQuery, siteTotalsQuery } from '../api/dashboard-queries';
import classes from './dashboard.module.css';
import { ListFrame } from './list-frame';
import { SiteTotals } from './site-totals';
import { useSiteColumns } from './use-dashboard-columns';
import { type DashboardListProps, useDashboardList, useExistingPage } from './use-dashboard-list';
import { useOpened } from './use-opened';

const SiteDialog = lazyDialog(() => import('./site-dialog'), 'SiteDialog');
const OccupancyPanel = lazyNamed(() => import('./occupancy-panel'), 'OccupancyPanel');

/** The most rows whose totals the server adds up at once. */
const MOST_SELECTED = 1000;

/** The sites of the platform, with the totals of the selected ones or of all (spec A section 2, Sites tab). */
export function SitesTable(props: DashboardListProps) {
  const { search, onChange, kind } = props;
  const { t } = useTranslation('dashboard');
  const list = useDashboardList('sites', props);
  const { data: page, error, refetch } = useQuery(sitesPageQuery(list.asked));
  useExistingPage(page, list.asked, onChange);
  const ids = useMemo(() => [...list.selected].slice(0, MOST_SELECTED).toSorted(), [list.selected]);
  const { data: selectedTotals } = useQuery(siteTotalsQuery(ids));
  const totals = ids.length > 0 ? selectedTotals : page?.totals;
  const close = () => onChange({ open: undefined });
  const opened = useOpened({ id: search.open, rows: page?.items, query: dashboardSiteQuery, onClose: close });

  const columns = useSiteColumns();
  const nameOf = (id: string) => page?.items.find((site) => site.id === id)?.name ?? id;
  return (
    <Stack gap="lg">
      {totals ? <SiteTotals totals={totals} isSelection={ids.length > 0} /> : null}
      <ListFrame
        title={t('tab.sites')}
        selected={list.selected.size}
        onClear={() => list.setSelected(new Set())}
        file={list.file}
        error={error}
        onRetry={() => void refetch()}
        tools={
          <SearchInput
            hasLabel
            tour="dashboard-search"
            label={t('search')}
            value={search.search ?? ''}
            onChange={(text) => onChange({ search: text || undefined, page: 0 })}
          />
        }
      >
        {page ? (
          <div className={classes.wide}>
            <DataTable
              label={t('tab.sites')}
              columns={columns}
              rows={page.items}
              rowId={(site) => site.id}
              state={list.state}
              onStateChange={list.onStateChange}
              onRowClick={(site) => onChange({ open: site.id })}
              selection={{ selected: list.selected, onChange: list.setSelected, rowLabel: nameOf }}
              mode="server"
              totalCount={page.totalCount}
              empty={<EmptyState title={t('empty.sites')} hint={search.search ? t('emptyHint') : undefined} />}
            />
          </div>
        ) : null}
      </ListFrame>
      {kind === undefined ? <OccupancyPanel title={t('occupancy.all')} /> : null}
      <SiteDialog subject={opened} onClose={close} />
    </Stack>
  );
}
