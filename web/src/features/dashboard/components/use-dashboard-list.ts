import { useEffect, useState } from 'react';
import type { TableState } from '@/components/data-table/data-table.types';
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

/** What the lists have in common: what they ask for, the state of their table, their selection, their file. */
export function useDashboardList(tab: DashboardTab, { search, kind, onChange }: DashboardListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const asked: ListSearch = listSearch(tab, search, kind);
  return {
    asked,
    selected,
    setSelected,
    state: tableState(tab, search),
    file: fileAddressOf(tab, asked),
    onStateChange: ({ page, size, sort, direction, dense }: TableState) =>
      onChange({ page, size, sort, direction, dense }),
  };
}

/** A page behind the last one, from an old link or after rows went away, becomes the last one. */
export function useExistingPage(
  page: { items: readonly unknown[]; totalPages: number } | undefined,
  asked: ListSearch,
  onChange: ChangeDashboard,
) {
  const last = Math.max(0, (page?.totalPages ?? 1) - 1);
  const isBehind = page !== undefined && page.items.length === 0 && asked.page > last;
  useEffect(() => {
    if (isBehind) onChange({ page: last });
  }, [isBehind, last, onChange]);
}
