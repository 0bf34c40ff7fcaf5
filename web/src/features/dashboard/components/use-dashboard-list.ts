import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { RowSelectionState } from '@tanstack/react-table';
import { useEffect, useState } from 'react';
import type { TableState } from '@/components/data-table/data-table.types';
import { useTableLook } from '@/components/data-table/use-table-look';
import {
  type DashboardSearch,
  type DashboardTab,
  fileAddressOf,
  type Kind,
  type ListSearch,
  listSearch,
  tableState,
} from '../dashboard.utils';

/** Changes a part of what the address remembers. */
export type ChangeDashboard = (changes: Partial<DashboardSearch>) => void;

/** What each of the three lists is given. */
export interface DashboardListProps {
  search: DashboardSearch;
  kind: Kind;
  onChange: ChangeDashboard;
}

/** One page of a list as the server sends it. */
interface ListPage<Row extends { id: string } = { id: string }> {
  items: readonly Row[];
  totalPages: number;
  totalCount: number;
}

/** Runs one of the lists: loads its page and keeps its selection. Render it with `DashboardList`. */
export function useDashboardList<Page extends ListPage, Key extends QueryKey>(
  tab: DashboardTab,
  { search, kind, onChange }: DashboardListProps,
  pageQuery: (asked: ListSearch) => UseQueryOptions<Page, Error, Page, Key>,
) {
  const [selected, setSelected] = useState<RowSelectionState>({});
  const [look, changeTable] = useTableLook(`dashboard-${tab}`, search);
  const asked: ListSearch = listSearch(tab, { ...search, ...look }, kind);
  const { data: page, error, refetch } = useQuery(pageQuery(asked));
  useExistingPage(page, asked, onChange);
  return {
    tab,
    page,
    error,
    refetch,
    selected,
    setSelected,
    searchText: search.search ?? '',
    setSearchText: (text: string) => onChange({ search: text || undefined, page: 0 }),
    state: tableState(tab, search, look),
    file: fileAddressOf(tab, asked),
    onStateChange: (next: TableState) => changeTable(next, onChange),
  };
}

/** What `useDashboardList` returns for a list of these rows. */
export type DashboardListModel<Row extends { id: string }> = Omit<
  ReturnType<typeof useDashboardList>,
  'page' | 'refetch'
> & { page: ListPage<Row> | undefined; refetch: () => unknown };

/** Replaces a page number beyond the last page, from an old link or after rows were removed, by the last page. */
function useExistingPage(page: ListPage | undefined, asked: ListSearch, onChange: ChangeDashboard) {
  const last = Math.max(0, (page?.totalPages ?? 1) - 1);
  const isBehind = page !== undefined && page.items.length === 0 && asked.page > last;
  useEffect(() => {
    if (isBehind) onChange({ page: last });
  }, [isBehind, last, onChange]);
}
