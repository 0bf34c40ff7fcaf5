import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { failedLoginsQuery } from '../api/audit-log-queries';
import type { FailedLogin } from '../audit-log.utils';
import { type AuditListProps, AuditTable } from './audit-table';
import { Moment } from './cells';

/** Sign-ins that failed: login and time (spec B section 2, Audit log). */
export function FailedList({ search, onChange }: AuditListProps) {
  const list = useQuery(failedLoginsQuery({ page: search.page, size: search.size }));
  return <AuditTable search={search} onChange={onChange} columns={useFailedColumns()} list={list} />;
}

function useFailedColumns(): DataColumn<FailedLogin>[] {
  const { t } = useTranslation('audit-log');
  return useMemo<DataColumn<FailedLogin>[]>(
    () => [
      {
        id: 'login',
        header: t('column.login'),
        cell: (row) => (row.login ? <bdi>{row.login}</bdi> : t('noLogin')),
        isTitle: true,
      },
      {
        id: 'loginFailedAt',
        header: t('column.failedAt'),
        cell: (row) => <Moment at={row.loginFailedAt} />,
        width: '30%',
      },
    ],
    [t],
  );
}
