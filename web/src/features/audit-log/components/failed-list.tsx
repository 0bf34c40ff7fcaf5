import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { failedLoginsQuery } from '../api/audit-log-queries';
import type { FailedLogin } from '../audit-log.utils';
import { AuditTable } from './audit-table';
import { Moment } from './cells';
import { type AuditListProps, useAuditList } from './use-audit-list';

/** Sign-ins that failed: login and time (spec B section 2, Audit log). */
export function FailedList(props: AuditListProps) {
  const model = useAuditList(props);
  const { page, size } = model.search;
  const list = useQuery(failedLoginsQuery({ page, size }));
  return <AuditTable {...model} columns={useFailedColumns()} list={list} />;
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
