import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmailLink } from '@/components/contact-link';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { passwordChangesQuery } from '../api/audit-log-queries';
import type { SetPassword } from '../audit-log.utils';
import { AuditTable } from './audit-table';
import { Moment, RoleName } from './cells';
import { type AuditListProps, useAuditList } from './use-audit-list';

/** Passwords that were set: whose, the role, when (spec B section 2, Audit log). */
export function PasswordList(props: AuditListProps) {
  const model = useAuditList(props);
  const { page, size } = model.search;
  const list = useQuery(passwordChangesQuery({ page, size }));
  return <AuditTable {...model} columns={usePasswordColumns()} list={list} />;
}

function usePasswordColumns(): DataColumn<SetPassword>[] {
  const { t } = useTranslation('audit-log');
  return useMemo<DataColumn<SetPassword>[]>(
    () => [
      { id: 'email', header: t('column.email'), cell: (row) => <EmailLink email={row.email} />, isTitle: true },
      { id: 'role', header: t('column.role'), cell: (row) => <RoleName role={row.role} />, width: '25%' },
      {
        id: 'passwordChangedAt',
        header: t('column.changedAt'),
        cell: (row) => <Moment at={row.passwordChangedAt} />,
        width: '30%',
      },
    ],
    [t],
  );
}
