import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/data-table/data-table';
import { EmptyState } from '@/components/empty-state';
import { SearchInput } from '@/components/search-input';
import { lazyDialog } from '@/components/lazy-named';
import { organizationsPageQuery } from '../api/dashboard-queries';
import { ListFrame } from './list-frame';
import { useOrganizationColumns } from './use-dashboard-columns';
import { type DashboardListProps, useDashboardList, useExistingPage } from './use-dashboard-list';

const OrganizationDialog = lazyDialog(() => import('./organization-dialog'), 'OrganizationDialog');

/** The organizations of the platform (spec A section 2, Organizations tab). */
export function OrganizationsTable(props: DashboardListProps) {
  const { search, onChange } = props;
  const { t } = useTranslation('dashboard');
  const list = useDashboardList('organizations', props);
  const { data: page, error, refetch } = useQuery(organizationsPageQuery(list.asked));
  useExistingPage(page, list.asked, onChange);

  const columns = useOrganizationColumns(onChange);
  const nameOf = (id: string) => page?.items.find((row) => row.id === id)?.organizationName ?? id;
  return (
    <ListFrame
      title={t('tab.organizations')}
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
        <>
          <DataTable
            label={t('tab.organizations')}
            columns={columns}
            rows={page.items}
            rowId={(row) => row.id}
            state={list.state}
            onStateChange={list.onStateChange}
            selection={{ selected: list.selected, onChange: list.setSelected, rowLabel: nameOf }}
            mode="server"
            totalCount={page.totalCount}
            empty={
              <EmptyState
                icon={<Building2 size={32} strokeWidth={1.5} />}
                title={t('empty.organizations')}
                hint={search.search ? t('emptyHint') : undefined}
              />
            }
          />
          <OrganizationDialog subject={search.open ?? null} onClose={() => onChange({ open: undefined })} />
        </>
      ) : null}
    </ListFrame>
  );
}
