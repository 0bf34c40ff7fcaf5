import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { DataTable } from '@/components/data-table/data-table';
import { pageRange } from '@/components/data-table/data-table.utils';
import type { TableState } from '@/components/data-table/data-table.types';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { usePrintedFilter } from '@/components/print/print-sheet';
import { TableSkeleton } from '@/components/skeletons';
import { historyQuery } from '../api/history-query';
import type { HistoryList } from '../history.utils';
import classes from './history.module.css';
import { useHistoryColumns } from './use-history-columns';

type Guest = Schemas['Guest'];

interface HistoryTableProps {
  site: Pick<Schemas['SiteDetails'], 'id' | 'name' | 'organizationName' | 'timeZone'>;
  list: HistoryList;
  /** Part of a first name; empty for everyone. */
  search: string;
  state: TableState;
  onStateChange: (state: TableState) => void;
  onOpen: (guest: Guest) => void;
}

const idOf = ({ id }: Guest) => id;

/** One list of the history with its heading and its total. */
export function HistoryTable({ site, list, search, state, onStateChange, onOpen }: HistoryTableProps) {
  const { t, i18n } = useTranslation(['history', 'common']);
  const headingId = useId();
  const columns = useHistoryColumns(list, site.timeZone);
  const filtered = usePrintedFilter(search);
  const { data, error, refetch } = useQuery(
    historyQuery({ siteId: site.id, list, page: state.page, size: state.size, search }),
  );
  const range = data ? pageRange(data.pageIndex, data.pageSize, data.totalCount) : { from: 0, to: 0 };
  const facts = [t('common:table.range', { ...range, total: data?.totalCount ?? 0 }), ...filtered];
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={classes.heading}>
        {t(`list.${list}`)}
        {data ? (
          <span className={classes.total}>{new Intl.NumberFormat(i18n.language).format(data.totalCount)}</span>
        ) : null}
      </h2>
      {data ? (
        <DataTable
          label={t(`list.${list}`)}
          columns={columns}
          rows={data.items}
          rowId={idOf}
          state={state}
          onStateChange={onStateChange}
          onRowClick={onOpen}
          empty={
            search === '' ? (
              <EmptyState title={t(`empty.${list}`)} />
            ) : (
              <EmptyState icon={<Search size={32} strokeWidth={1.5} />} title={t('emptySearch')} />
            )
          }
          print={{ title: t('printTitle', { list: t(`list.${list}`) }), site, facts }}
          mode="server"
          totalCount={data.totalCount}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <TableSkeleton />
      )}
    </section>
  );
}
