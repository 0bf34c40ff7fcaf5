import { useMediaQuery } from '@mantine/hooks';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ChangeEvent, memo, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { smallerThan } from '@/lib/breakpoints';
import { PrintSheet } from '../print/print-sheet';
import { DataCards } from './data-cards';
import { ColumnsMenu } from './columns-menu';
import classes from './data-table.module.css';
import type { DataTableProps } from './data-table.types';
import { titleColumn } from './data-table.utils';
import { RowTools, TitleCell } from './row-parts';
import { TableFooter } from './table-footer';
import { type DataTableModel, useDataTable } from './use-data-table';

/** Up to 640 px rows become cards (DESIGN section 10); where letters are twice as large, up to twice as much. */
const NARROW = smallerThan('narrow');

/**
 * The one table of the product: sorting, paging, density, selection, row actions. Its state is the caller's, from the
 * address. Rows are 53 px high, dense 33 px; plain elements, since a page may hold 250 rows.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const model = useDataTable(props);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  if (model.total === 0) return <div className={classes.frame}>{props.empty}</div>;
  const { hidden } = props.state;
  const footer =
    props.unpaged && !hidden ? null : (
      <TableFooter
        selectedCount={props.selection && Object.keys(props.selection.selected).length}
        dense={props.state.dense}
        size={props.state.size}
        page={model.page}
        pages={model.pages}
        range={model.range}
        total={model.total}
        onDenseChange={isNarrow ? undefined : model.setDense}
        columnsMenu={
          hidden ? (
            <ColumnsMenu columns={props.columns} isOnCards={isNarrow} hidden={hidden} onChange={model.setHidden} />
          ) : null
        }
        onSizeChange={model.setSize}
        onPageChange={props.unpaged ? undefined : model.setPage}
      />
    );
  const sheet = props.print ? (
    <PrintSheet {...props.print} columns={props.columns} rows={model.visible} rowId={props.rowId} />
  ) : null;
  if (isNarrow) {
    return (
      <div>
        <DataCards table={props} model={model} />
        {footer}
        {sheet}
      </div>
    );
  }
  return (
    <div className={classes.frame}>
      <div
        className={classes.scroll}
        style={{ maxHeight: props.maxHeight }}
        // A scrolling area must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={props.label}
      >
        <PlainTable table={props} model={model} />
      </div>
      {footer}
      {sheet}
    </div>
  );
}

function PlainTable<Row extends object>({ table, model }: { table: DataTableProps<Row>; model: DataTableModel<Row> }) {
  const { t } = useTranslation();
  const { rowId, selection, state, onRowClick, rowLink } = table;
  const { shown: columns } = model;
  const hasTools = table.rowActions !== undefined || table.rowMenu !== undefined;
  return (
    <table className={classes.table} data-dense={state.dense} aria-label={table.label} data-tour="table">
      <thead>
        <tr>
          {selection ? (
            <th className={classes.checkCell}>
              <label className={classes.checkTarget}>
                <input
                  type="checkbox"
                  className={classes.check}
                  aria-label={t('table.selectAll')}
                  checked={model.isAllSelected}
                  ref={(input) => {
                    if (input) input.indeterminate = model.isSomeSelected && !model.isAllSelected;
                  }}
                  onChange={(event) => model.selectVisible(event.currentTarget.checked)}
                />
              </label>
            </th>
          ) : null}
          {columns.map((column) => {
            const isSorted = state.sort === column.id;
            return (
              <th
                key={column.id}
                scope="col"
                data-numeric={column.numeric}
                style={{ width: column.width }}
                aria-sort={isSorted ? (state.direction === 'asc' ? 'ascending' : 'descending') : undefined}
              >
                {column.sortValue ? (
                  <button
                    type="button"
                    className={classes.sort}
                    data-print="show"
                    onClick={() => model.sortBy(column.id)}
                  >
                    {column.header}
                    {isSorted && state.direction === 'desc' ? (
                      <ArrowDown size={14} aria-hidden />
                    ) : (
                      <ArrowUp size={14} aria-hidden />
                    )}
                  </button>
                ) : (
                  column.header
                )}
              </th>
            );
          })}
          {hasTools ? (
            <th scope="col" className={classes.actionsCell}>
              <span className="berth-hidden">{t('table.actions')}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {model.drawn.map((row) => {
          const id = rowId(row);
          return (
            <TableRow
              key={id}
              row={row}
              columns={columns}
              hasTools={hasTools}
              isSelected={selection?.selected[id] ?? false}
              isNew={table.newRows?.has(id)}
              selection={selection}
              rowId={rowId}
              onSelect={selection && model.select}
              onRowClick={onRowClick}
              rowLink={rowLink}
              rowActions={table.rowActions}
              showsActions={table.showsActions}
              rowMenu={table.rowMenu}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface TableRowProps<Row extends object> extends Pick<
  DataTableProps<Row>,
  'columns' | 'rowId' | 'selection' | 'onRowClick' | 'rowLink' | 'rowActions' | 'showsActions' | 'rowMenu'
> {
  row: Row;
  hasTools: boolean;
  isSelected: boolean;
  isNew: boolean | undefined;
  onSelect: ((id: string, event: ChangeEvent<HTMLInputElement>) => void) | undefined;
}

/** Opens a row. The real link or button is in the title cell; a click beside it means the same. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  if (event.target instanceof Element && event.target.closest('a, button, input, label, select')) return;
  event.currentTarget.querySelector<HTMLElement>(`.${classes.opener}`)?.click();
}

/** One row. Drawn again only when something it shows has changed, where the caller's functions keep their identity. */
const TableRow = memo(function TableRow<Row extends object>(props: TableRowProps<Row>) {
  const { row, columns, hasTools, isSelected, isNew, selection, rowId, onSelect, showsActions, ...opens } = props;
  const { t } = useTranslation();
  const id = rowId(row);
  const title = titleColumn(columns);
  const isClickable = Boolean(opens.onRowClick ?? opens.rowLink);
  return (
    <tr
      className={classes.row}
      data-shortcut-scope
      data-clickable={isClickable}
      data-selected={isSelected}
      data-new={isNew || undefined}
      onClick={isClickable ? openRow : undefined}
    >
      {selection ? (
        <td className={classes.checkCell}>
          <label className={classes.checkTarget}>
            <input
              type="checkbox"
              className={classes.check}
              aria-label={t('table.selectRow', { row: selection.rowLabel(id) })}
              checked={isSelected}
              onChange={(event) => onSelect?.(id, event)}
            />
          </label>
        </td>
      ) : null}
      {columns.map((column) => (
        <td key={column.id} data-numeric={column.numeric}>
          {column === title ? <TitleCell {...opens} row={row} column={column} /> : column.cell(row)}
        </td>
      ))}
      {hasTools ? (
        <td className={classes.actionsCell}>
          <div className={classes.actions} data-reveal={opens.rowActions !== undefined && !showsActions}>
            <RowTools {...opens} row={row} />
          </div>
        </td>
      ) : null}
    </tr>
  );
}) as <Row extends object>(props: TableRowProps<Row>) => ReactNode;
