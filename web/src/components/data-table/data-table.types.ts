import type { LinkProps } from '@tanstack/react-router';
import type { RowSelectionState } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { MenuEntry } from '../menu-button';
import type { PrintInfo } from '../print/print-sheet';
import type { PageSize } from './table-search';

/** One column. Keep the array outside the component or memoised: a new array is a new table. */
export interface DataColumn<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable; in server mode any value will do. Null sorts last. */
  sortValue?: (row: Row) => string | number | null;
  /** Numbers are set flush right with tabular digits. */
  numeric?: boolean;
  /** The name of the row: head of its card on a phone, and where its link is. Else the first column. */
  isTitle?: boolean;
  /** Left out of the cards on a phone. */
  hideOnCard?: boolean;
  /** CSS width. */
  width?: string;
}

/** What the address remembers of a table. Pages count from 0. */
export interface TableSearch {
  page: number;
  sort?: string;
  direction: 'asc' | 'desc';
  /** Without it, what the user left the table with; see `useTableLook`. */
  size?: PageSize;
  /** The same for the density. */
  dense?: boolean;
}

/** How a user likes a table; see `useTableLook`. */
export interface TableLook {
  size: PageSize;
  dense: boolean;
  /** Ids of the columns that are not shown. On paper and in files they are all there. */
  hidden: readonly string[];
}

/** A table as it is drawn. Without `hidden`, its columns cannot be chosen. */
export type TableState = TableSearch & Omit<TableLook, 'hidden'> & Partial<Pick<TableLook, 'hidden'>>;

export interface TableSelection {
  /** Ids of the selected rows, also of other pages. */
  selected: RowSelectionState;
  onChange: (selected: RowSelectionState) => void;
  /** Name of a row for its checkbox. */
  rowLabel: (rowId: string) => string;
}

/** What a row action is: a button that is always seen, and stronger while its row has the mouse or the focus. */
export interface RowAction extends MenuEntry {
  /** Name for screen readers, with the row in it: "Accept Anna K". */
  accessibleLabel: string;
  primary?: boolean;
  /** The keyboard shortcut that presses it; see `pressMarked`. */
  shortcut?: string;
}

export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search' | 'state'>;

export interface DataTableProps<Row> {
  /** Name of the table for screen readers. */
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  state: TableState;
  onStateChange: (state: TableState) => void;
  selection?: TableSelection;
  /** A row that opens something in place. */
  onRowClick?: (row: Row) => void;
  /** A row that leads to another screen. */
  rowLink?: (row: Row) => RowLink;
  /** Actions of a row as buttons. */
  rowActions?: (row: Row) => readonly RowAction[];
  /** Fills the buttons of all rows; without it, only those of the row under the mouse. */
  showsActions?: boolean;
  /** Actions of a row behind three dots; the label names the row. */
  rowMenu?: (row: Row) => { label: string; entries: readonly MenuEntry[] };
  /** Ids of rows that have just come, which are marked; see `useNewRows`. */
  newRows?: ReadonlySet<string>;
  /** Stands in place of the rows when there are none. */
  empty: ReactNode;
  /** CSS height above which the table scrolls in itself, e.g. 70vh. */
  maxHeight?: string;
  /** client: sorts and pages the given rows; server: the rows are one page, already sorted. */
  mode: 'client' | 'server';
  /** Number of rows of all pages; needed in server mode. */
  totalCount?: number;
  /** Name of the order that the rows are given in, where it may be chosen like that of a column. */
  order?: string;
  /** Prints the rows as a sheet of their own, all columns, without the page around them. */
  print?: PrintInfo;
  /** Hides page sizes and paging, for short lists shown whole. */
  unpaged?: boolean;
}
