import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { EmptyState } from '@/components/empty-state';
import { SearchInput } from '@/components/search-input';
import { ListFrame } from './list-frame';
import type { DashboardListModel } from './use-dashboard-list';

interface DashboardListProps<Row extends { id: string }> {
  list: DashboardListModel<Row>;
  columns: readonly DataColumn<Row>[];
  /** Name of a row for its checkbox. */
  rowName: (row: Row) => string;
  onRowClick?: (row: Row) => void;
  searchPlaceholder?: string;
  /** Shown before the search. */
  searchTools?: ReactNode;
  emptyIcon?: ReactNode;
  /** Class of the box around the table. */
  className?: string | undefined;
}

/** One list of the dashboard: heading, search, file and table. */
export function DashboardList<Row extends { id: string }>(props: DashboardListProps<Row>) {
  const { list, columns, rowName, onRowClick, searchPlaceholder, searchTools, emptyIcon, className } = props;
  const { tab, page, selected, setSelected, searchText } = list;
  const { t } = useTranslation('dashboard');
  const rowLabel = (id: string) => {
    const row = page?.items.find((item) => item.id === id);
    return row ? rowName(row) : id;
  };
  return (
    <ListFrame
      title={t(`tab.${tab}`)}
      selected={Object.keys(selected).length}
      onClear={() => setSelected({})}
      file={list.file}
      error={list.error}
      onRetry={() => void list.refetch()}
      tools={
        <>
          {searchTools}
          <SearchInput
            hasLabel
            tour="dashboard-search"
            label={t('search')}
            placeholder={searchPlaceholder}
            value={searchText}
            onChange={list.setSearchText}
          />
        </>
      }
    >
      {page ? (
        <div className={className}>
          <DataTable
            label={t(`tab.${tab}`)}
            columns={columns}
            rows={page.items}
            rowId={(row) => row.id}
            state={list.state}
            onStateChange={list.onStateChange}
            onRowClick={onRowClick}
            selection={{ selected, onChange: setSelected, rowLabel }}
            mode="server"
            totalCount={page.totalCount}
            empty={
              <EmptyState
                icon={emptyIcon}
                // The sentence about users is true of a search as well; "yet" is not.
                title={t(searchText && tab !== 'users' ? 'empty.search' : `empty.${tab}`)}
                hint={searchText ? t('emptyHint') : undefined}
              />
            }
          />
        </div>
      ) : null}
    </ListFrame>
  );
}
