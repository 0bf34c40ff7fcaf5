import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import type { DataColumn, TableState } from './data-table.types';

interface SortSelectProps<Row> {
  columns: readonly DataColumn<Row>[];
  state: TableState;
  onStateChange: (state: TableState) => void;
  /** Name of the order that the rows are given in, where it may be chosen. */
  order?: string | undefined;
}

/** The rows as they were given. */
const UNSORTED = ':asc';

/** Chooses the order of rows that have no column headings. Renders nothing if no column can be sorted. */
export function SortSelect<Row>({ columns, state, onStateChange, order }: SortSelectProps<Row>) {
  const { t } = useTranslation();
  const sortable = columns.filter((column) => column.sortValue);
  if (sortable.length === 0) return null;
  return (
    <div className={classes.cardTools} data-print="hide">
      <label className={classes.pageSize}>
        {t('table.sortBy')}
        <select
          className={classes.select}
          value={state.sort ? `${state.sort}:${state.direction}` : UNSORTED}
          onChange={(event) => {
            const [sort, direction] = event.currentTarget.value.split(':');
            onStateChange({
              ...state,
              sort: sort || undefined,
              direction: direction === 'desc' ? 'desc' : 'asc',
              page: 0,
            });
          }}
        >
          {order || !state.sort ? <option value={UNSORTED}>{order ?? t('table.asListed')}</option> : null}
          {sortable.flatMap((column) =>
            (['asc', 'desc'] as const).map((direction) => (
              <option key={`${column.id}:${direction}`} value={`${column.id}:${direction}`}>
                {column.header}, {t(direction === 'asc' ? 'table.ascending' : 'table.descending')}
              </option>
            )),
          )}
        </select>
      </label>
    </div>
  );
}
