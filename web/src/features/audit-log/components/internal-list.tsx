import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmailLink } from '@/components/contact-link';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { trailQuery } from '../api/audit-log-queries';
import { actorWithoutEmail, addressOf, isFiltered, knownRole, plainAction, type TrailEntry } from '../audit-log.utils';
import classes from './audit-log.module.css';
import { AuditTable } from './audit-table';
import { Moment, Pair } from './cells';
import { TrailDetails } from './trail-details';
import { type AuditListProps, useAuditList } from './use-audit-list';

/** All entries that the filters let through: who did what, when, where, to what and from where (DESIGN section 6). */
export function InternalList(props: AuditListProps) {
  const model = useAuditList(props);
  const { t } = useTranslation('audit-log');
  const { page, size, organization, site, person, guest, action, from, to } = model.search;
  const list = useQuery(trailQuery({ page, size }, { organization, site, person, guest, action, from, to }));
  return (
    <>
      {list.data?.isComplete === false ? (
        <p className={classes.details} role="status">
          {t('filter.onlyNewest')}
        </p>
      ) : null}
      <AuditTable {...model} columns={useTrailColumns()} isWide isFiltered={isFiltered(model.search)} list={list} />
    </>
  );
}

function useTrailColumns(): DataColumn<TrailEntry>[] {
  const { t, i18n } = useTranslation('audit-log');
  return useMemo<DataColumn<TrailEntry>[]>(() => {
    const actionOf = (action: string) =>
      i18n.exists(`audit-log:action.${action}`) ? t(`action.${action}` as never) : plainAction(action);
    const objectOf = (type: string) =>
      i18n.exists(`audit-log:object.${type}`) ? t(`object.${type}` as never) : plainAction(type);
    const roleOf = (role: string | null) => {
      const known = knownRole(role);
      return known ? t(`role.${known}`) : (role ?? undefined);
    };
    return [
      { id: 'at', header: t('column.time'), cell: (row) => <Moment at={row.at} />, width: '11%' },
      {
        id: 'actor',
        header: t('column.actor'),
        cell: (row) => (
          <Pair
            first={row.actorEmail ? <EmailLink email={row.actorEmail} /> : t(`actor.${actorWithoutEmail(row.address)}`)}
            second={roleOf(row.actorRole)}
          />
        ),
        width: '15%',
      },
      { id: 'action', header: t('column.action'), cell: (row) => actionOf(row.action), isTitle: true },
      {
        id: 'place',
        header: t('column.place'),
        cell: (row) => {
          const [first, second] = [row.siteName, row.organizationName].filter((name) => name !== null);
          return first === undefined ? t('none') : <Pair first={first} second={second} />;
        },
      },
      {
        id: 'object',
        header: t('column.object'),
        cell: (row) => {
          if (row.objectType === null) return t('none');
          const kind = objectOf(row.objectType);
          // Where it was says the name of a place already.
          const isPlace = row.objectId === row.siteId || row.objectId === row.organizationId;
          return row.objectName === null || isPlace ? (
            <Pair first={kind} />
          ) : (
            <Pair first={row.objectName} second={kind} />
          );
        },
        width: '17%',
      },
      { id: 'details', header: t('column.details'), cell: (row) => <TrailDetails row={row} />, width: '18%' },
      {
        id: 'address',
        header: t('column.address'),
        cell: (row) => <span className={classes.address}>{addressOf(row) ?? t('none')}</span>,
      },
    ];
  }, [t, i18n]);
}
