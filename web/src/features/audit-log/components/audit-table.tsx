import type { UseQueryResult } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import classes from './audit-log.module.css';
import type { AuditListModel } from './use-audit-list';

interface AuditTableProps<Row extends { id: string }> extends AuditListModel {
  columns: readonly DataColumn<Row>[];
  /** Whether it has many columns. */
  isWide?: boolean;
  /** Whether filters leave rows out. */
  isFiltered?: boolean;
  list: UseQueryResult<{ items: readonly Row[]; totalCount: number; totalPages: number }>;
}

/** A list of the audit log: one page at a time, in the order in which things happened, the newest first. */
export function AuditTable<Row extends { id: string }>({
  search,
  onChange,
  onStateChange,
  columns,
  isWide = false,
  isFiltered = false,
  list,
}: AuditTableProps<Row>) {
  const { t } = useTranslation('audit-log');
  const { data: page, error, isPlaceholderData } = list;
  const last = Math.max(0, (page?.totalPages ?? 1) - 1);
  // From an old link.
  const isBehind = page !== undefined && !isPlaceholderData && search.page > last;
  useEffect(() => {
    if (isBehind) onChange({ page: last });
  }, [isBehind, last, onChange]);
  if (!page) return error ? <ErrorState error={error} onRetry={() => void list.refetch()} /> : <TableSkeleton />;
  const { size, direction, dense, hidden } = search;
  return (
    <div className={`${classes.list} ${isWide ? classes.wide : ''}`} aria-busy={isPlaceholderData}>
      <DataTable
        label={t(`list.${search.tab}`)}
        columns={columns}
        rows={page.items}
        rowId={(row) => row.id}
        state={{ page: search.page, size, direction, dense, hidden }}
        onStateChange={onStateChange}
        mode="server"
        totalCount={page.totalCount}
        empty={
          <EmptyState
            icon={<ScrollText size={32} strokeWidth={1.5} />}
            title={isFiltered ? t('empty.filtered') : t(`empty.${search.tab}`)}
            hint={isFiltered ? t('filteredHint') : t('emptyHint')}
          />
        }
      />
    </div>
  );
}
