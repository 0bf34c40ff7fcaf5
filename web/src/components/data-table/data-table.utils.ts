import type { DataColumn, TableState } from './data-table.types';

/** Number of pages, at least 1. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** The page that exists: a page behind the last one becomes the last one. */
export function clampPage(page: number, total: number, size: number): number {
  return Math.min(Math.max(0, page), pageCount(total, size) - 1);
}

/** First and last row number of a page, counted from 1; 0 and 0 when there is nothing. */
export function pageRange(page: number, size: number, total: number): { from: number; to: number } {
  if (total === 0) return { from: 0, to: 0 };
  return { from: page * size + 1, to: Math.min(total, (page + 1) * size) };
}

/** A press on a heading: unsorted → ascending → descending → ascending. The first page is shown again. */
export function toggleSort(state: TableState, column: string): TableState {
  const direction = state.sort === column && state.direction === 'asc' ? 'desc' : 'asc';
  return { ...state, sort: column, direction, page: 0 };
}

/** Compares two cell values: numbers by size, texts as people read them, null last whatever the direction. */
export function compareValues(
  a: string | number | null,
  b: string | number | null,
  descending: boolean,
  collator: Intl.Collator,
): number {
  if (a === null || b === null) return a === b ? 0 : nullsLast(a === null, descending);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}

function nullsLast(isFirstNull: boolean, descending: boolean): number {
  return isFirstNull === descending ? -1 : 1;
}

/** The column that names a row. It is always shown. */
export function titleColumn<Row>(columns: readonly DataColumn<Row>[]): DataColumn<Row> | undefined {
  return columns.find((column) => column.isTitle) ?? columns[0];
}
