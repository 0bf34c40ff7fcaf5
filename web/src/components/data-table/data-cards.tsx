import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import type { DataTableProps } from './data-table.types';
import { titleColumn } from './data-table.utils';
import { RowTools, TitleCell } from './row-parts';
import { SortSelect } from './sort-select';
import type { DataTableModel } from './use-data-table';

interface DataCardsProps<Row extends object> {
  table: DataTableProps<Row>;
  model: DataTableModel<Row>;
}

/** The rows of a table as cards, for narrow screens. */
export function DataCards<Row extends object>({ table, model }: DataCardsProps<Row>) {
  const { t } = useTranslation();
  const { columns, rowId, selection, state } = table;
  const title = titleColumn(columns);
  const hasActions = table.rowActions !== undefined;
  // A menu alone stands beside the title, where a thumb finds it; actions take a line of their own.
  const hasMenuOnly = !hasActions && table.rowMenu !== undefined;
  return (
    <>
      <SortSelect columns={columns} state={state} onStateChange={table.onStateChange} order={table.order} />
      <ul className={classes.cards} aria-label={table.label} data-tour="table">
        {model.drawn.map((row) => {
          const id = rowId(row);
          const isSelected = selection?.selected[id] ?? false;
          return (
            <li
              key={id}
              className={classes.card}
              data-shortcut-scope
              data-selected={isSelected}
              data-new={table.newRows?.has(id) || undefined}
            >
              <div className={classes.cardHead}>
                {selection ? (
                  <label className={classes.checkTarget}>
                    <input
                      type="checkbox"
                      className={classes.check}
                      aria-label={t('table.selectRow', { row: selection.rowLabel(id) })}
                      checked={isSelected}
                      onChange={(event) => model.select(id, event)}
                    />
                  </label>
                ) : null}
                <div className={classes.cardTitle}>
                  {title ? <TitleCell {...table} row={row} column={title} /> : null}
                </div>
                {hasMenuOnly ? (
                  <div data-print="hide">
                    <RowTools {...table} row={row} />
                  </div>
                ) : null}
              </div>
              <dl className={classes.pairs}>
                {model.shown
                  .filter((column) => column !== title && !column.hideOnCard)
                  .map((column) => (
                    <div key={column.id} style={{ display: 'contents' }}>
                      <dt>{column.header}</dt>
                      <dd>{column.cell(row)}</dd>
                    </div>
                  ))}
              </dl>
              {hasActions ? (
                <div className={classes.cardActions} data-print="hide">
                  <RowTools {...table} row={row} />
                </div>
              ) : null}
            </li>
          );
        })}
      </ul>
    </>
  );
}
