import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmailLink } from '@/components/contact-link';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { guestCreationsQuery } from '../api/audit-log-queries';
import type { GuestCreation } from '../audit-log.utils';
import { AuditTable } from './audit-table';
import { Moment, RoleName } from './cells';
import { type AuditListProps, useAuditList } from './use-audit-list';

/** Guests that came in, and who added them; reservations of the public side have no one (spec B section 2, Audit log). */
export function GuestsList(props: AuditListProps) {
  const model = useAuditList(props);
  const { page, size } = model.search;
  const list = useQuery(guestCreationsQuery({ page, size }));
  return <AuditTable {...model} columns={useGuestColumns()} list={list} />;
}

function useGuestColumns(): DataColumn<GuestCreation>[] {
  const { t } = useTranslation('audit-log');
  return useMemo<DataColumn<GuestCreation>[]>(
    () => [
      { id: 'firstName', header: t('column.firstName'), cell: (row) => <bdi>{row.firstName}</bdi>, isTitle: true },
      { id: 'lastName', header: t('column.lastName'), cell: (row) => row.lastName },
      { id: 'siteName', header: t('column.siteName'), cell: (row) => <bdi>{row.siteName}</bdi> },
      {
        id: 'createdByEmail',
        header: t('column.creator'),
        cell: (row) => (row.createdByEmail ? <EmailLink email={row.createdByEmail} /> : t('publicSide')),
      },
      { id: 'createdByRole', header: t('column.creatorRole'), cell: (row) => <RoleName role={row.createdByRole} /> },
      { id: 'guestCreatedAt', header: t('column.createdAt'), cell: (row) => <Moment at={row.guestCreatedAt} /> },
    ],
    [t],
  );
}
