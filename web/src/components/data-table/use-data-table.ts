import {
  type ColumnDef,
  createPaginatedRowModel,
  createSortedRowModel,
  functionalUpdate,
  rowPaginationFeature,
  rowSelectionFeature,
  type RowSelectionState,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ChangeEvent, useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePrintedAt } from '../print/print-sheet';
import type { DataColumn, DataTableProps, TableState } from './data-table.types';
import { clampPage, compareValues, pageCount, pageRange, titleColumn, toggleSort } from './data-table.utils';

const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

/** So many rows are drawn at once, which is more than a window shows; the rest follows while the page already answers. */
const FIRST_ROWS = 60;

/** The selection of a table that has none. */
const NOTHING: RowSelectionState = {};

/** Runs a table: sorting, paging, selection, and which columns are shown. The looks are in data-table.tsx and data-cards.tsx. */
export function useDataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, state, onStateChange, selection, mode, unpaged = false } = props;
  const { i18n } = useTranslation();
  const total = mode === 'server' ? (props.totalCount ?? rows.length) : rows.length;
  const size = unpaged ? Math.max(1, total) : state.size;
  const page = unpaged ? 0 : clampPage(state.page, total, size);
  const isDescending = state.direction === 'desc';

  const definitions = useMemo(() => {
    const collator = new Intl.Collator(i18n.language, { numeric: true, sensitivity: 'base' });
    return columns.map((column) => toDefinition(column, isDescending, collator));
  }, [columns, i18n.language, isDescending]);

  const table = useTable<typeof features, Row>({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    manualSorting: mode === 'server',
    manualPagination: mode === 'server',
    enableRowSelection: selection !== undefined,
    onRowSelectionChange: (change) => selection?.onChange(functionalUpdate(change, selection.selected)),
    state: {
      rowSelection: selection?.selected ?? NOTHING,
      sorting: state.sort ? [{ id: state.sort, desc: isDescending }] : [],
      pagination: { pageIndex: page, pageSize: size },
    },
  });

  const visible = table.getRowModel().rows.map((row) => row.original);
  const isWhole = useDeferredValue(true, false);
  const shown = useShownColumns(props);

  return {
    visible,
    /** The visible rows that are in the page by now: all but in the first moment. */
    drawn: isWhole ? visible : visible.slice(0, FIRST_ROWS),
    /** The columns that the user has not hidden. Rows can be sorted by the others, too. */
    shown,
    total,
    page,
    pages: pageCount(total, size),
    range: pageRange(page, size, total),
    isAllSelected: table.getIsAllPageRowsSelected(),
    isSomeSelected: table.getIsSomePageRowsSelected(),
    sortBy: (column: string) => onStateChange(toggleSort(state, column)),
    setDirection: (direction: 'asc' | 'desc') => onStateChange({ ...state, direction, page: 0 }),
    setSort: (sort: string) => onStateChange({ ...state, sort, page: 0 }),
    setPage: (next: number) => onStateChange({ ...state, page: clampPage(next, total, size) }),
    setSize: (next: TableState['size']) => onStateChange({ ...state, size: next, page: 0 }),
    setDense: (dense: boolean) => onStateChange({ ...state, dense }),
    setHidden: (hidden: readonly string[]) => onStateChange({ ...state, hidden }),
    selectVisible: (isSelected: boolean) => table.toggleAllPageRowsSelected(isSelected),
    /** With Shift, the rows since the last one. */
    select: (id: string, event: ChangeEvent<HTMLInputElement>) => table.getRow(id).getToggleSelectedHandler()(event),
  };
}

/** A table that is printed as it stands has all its columns on paper. */
function useShownColumns<Row>({ columns, state: { hidden }, print }: DataTableProps<Row>) {
  const isOnPaper = usePrintedAt() !== null && !print;
  return useMemo(() => {
    if (isOnPaper || !hidden?.length) return columns;
    const title = titleColumn(columns);
    return columns.filter((column) => column === title || !hidden.includes(column.id));
  }, [columns, hidden, isOnPaper]);
}

/** What the views get from the hook. */
export type DataTableModel<Row extends object> = Omit<ReturnType<typeof useDataTable<Row>>, never>;

function toDefinition<Row extends object>(
  column: DataColumn<Row>,
  isDescending: boolean,
  collator: Intl.Collator,
): ColumnDef<typeof features, Row> {
  const { sortValue } = column;
  return {
    id: column.id,
    accessorFn: (row: Row) => sortValue?.(row) ?? null,
    enableSorting: sortValue !== undefined,
    sortFn: (a, b) =>
      compareValues(sortValue?.(a.original) ?? null, sortValue?.(b.original) ?? null, isDescending, collator),
  };
}
