import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { smallerThan } from '@/lib/breakpoints';
import { DataTable } from '../data-table/data-table';
import type { DataColumn, DataTableProps, TableState } from '../data-table/data-table.types';
import { compareValues } from '../data-table/data-table.utils';
import { SortSelect } from '../data-table/sort-select';
import { EmptyState } from '../empty-state';
import { SearchInput } from '../search-input';
import { containsWords } from './long-list.utils';
import { useListView, useLongList } from './use-long-list';

interface LongListProps<Row extends object> extends Pick<
  DataTableProps<Row>,
  'label' | 'columns' | 'rows' | 'rowId' | 'rowLink' | 'rowMenu'
> {
  searchLabel: string;
  /** The texts that are searched. Keep the function outside the component. */
  searchTexts: (row: Row) => readonly string[];
  /** Draws rows as cards. */
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list of many rows: search, sort, and the choice between cards and a table. A phone has cards only. */
export function LongList<Row extends object>({ searchLabel, searchTexts, children, ...table }: LongListProps<Row>) {
  const { t } = useTranslation('sites');
  const { rows, columns } = table;
  const { find, setFind, state, setState } = useLongList();
  const [view, setView] = useListView();
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  const isTable = view === 'table' && !isNarrow;
  const found = useMemo(() => rows.filter((row) => containsWords(searchTexts(row), find)), [rows, searchTexts, find]);
  const sorted = useSorted(found, columns, state);
  const nothing = (
    <EmptyState
      icon={<Search size={32} strokeWidth={1.5} />}
      title={t('long.nothing')}
      hint={t('long.nothingHint')}
      action={
        <Button variant="default" onClick={() => setFind('')}>
          {t('long.showAll')}
        </Button>
      }
    />
  );
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center" gap="sm">
        <Group gap="sm" align="center">
          <SearchInput label={searchLabel} value={find} onChange={setFind} />
          <Text c="dimmed" size="sm" role="status">
            {find ? t('long.count', { shown: found.length, total: rows.length }) : ''}
          </Text>
        </Group>
        <Group gap="sm" align="center" data-print="hide">
          {isTable ? null : (
            <SortSelect columns={columns} state={state} onStateChange={setState} order={t('long.order')} />
          )}
          {isNarrow ? null : (
            <SegmentedControl
              aria-label={t('long.view')}
              value={view}
              onChange={(wanted) => setView(wanted === 'table' ? 'table' : 'cards')}
              data={[
                { value: 'cards', label: t('long.cards') },
                { value: 'table', label: t('long.table') },
              ]}
            />
          )}
        </Group>
      </Group>
      {isTable ? (
        <DataTable {...table} rows={found} state={state} onStateChange={setState} empty={nothing} mode="client" />
      ) : found.length === 0 ? (
        nothing
      ) : (
        children(sorted)
      )}
    </Stack>
  );
}

/** The rows in the order of a column, or as they are. The table sorts its rows itself, by the same rule. */
function useSorted<Row>(rows: readonly Row[], columns: readonly DataColumn<Row>[], { sort, direction }: TableState) {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const valueOf = columns.find(({ id }) => id === sort)?.sortValue;
    if (!valueOf) return rows;
    const collator = new Intl.Collator(i18n.language, { numeric: true, sensitivity: 'base' });
    const isDescending = direction === 'desc';
    const sign = isDescending ? -1 : 1;
    return [...rows].sort((a, b) => sign * compareValues(valueOf(a), valueOf(b), isDescending, collator));
  }, [rows, columns, sort, direction, i18n.language]);
}
