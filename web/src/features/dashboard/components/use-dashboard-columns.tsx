import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmailLink, PhoneLink } from '@/components/contact-link';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { type DashboardSite, type DashboardUser, plainAddress, rolesOf } from '../dashboard.utils';
import classes from './dashboard.module.css';
import type { ChangeDashboard } from './use-dashboard-list';
import { MembershipBadge } from '@/features/users/ui/membership-badge';

type Organization = Schemas['DashboardOrganization'];

/** A text in two lines, so that eight columns fit beside each other; the whole of it where the mouse rests. */
function Cut({ text, title = text, isShort = false }: { text: string; title?: string; isShort?: boolean }) {
  return (
    <span className={classes.cut} data-short={isShort} title={title}>
      {text}
    </span>
  );
}

/** The button that opens the details of a row. */
function DetailsButton({ id, name, onChange }: { id: string; name: string; onChange: ChangeDashboard }) {
  const { t } = useTranslation('dashboard');
  return (
    <button
      type="button"
      className={classes.details}
      aria-label={t('detailsOf', { name })}
      onClick={() => onChange({ open: id })}
    >
      {t('column.details')}
    </button>
  );
}

/** The columns of the users (spec A section 2). The server sorts: `sortValue` only says that it can. */
export function useUserColumns(onChange: ChangeDashboard): DataColumn<DashboardUser>[] {
  const { t } = useTranslation('dashboard');
  return useMemo<DataColumn<DashboardUser>[]>(
    () => [
      { id: 'firstName', header: t('column.firstName'), cell: (user) => user.firstName, sortValue: (user) => user.id },
      { id: 'lastName', header: t('column.lastName'), cell: (user) => user.lastName, sortValue: (user) => user.id },
      {
        id: 'email',
        header: t('column.email'),
        cell: (user) => <EmailLink email={user.email} />,
        sortValue: (user) => user.id,
        isTitle: true,
      },
      {
        id: 'roles',
        header: t('column.role'),
        cell: (user) =>
          rolesOf(user)
            .map((role) => t(`role.${role}`))
            .join(', '),
        sortValue: (user) => user.id,
      },
      {
        id: 'membershipStatus',
        header: t('column.status'),
        cell: (user) => <MembershipBadge status={user.membershipStatus} />,
        sortValue: (user) => user.id,
        width: '14%',
      },
      {
        id: 'details',
        header: t('column.details'),
        cell: (user) => <DetailsButton id={user.id} name={user.email} onChange={onChange} />,
        width: '10%',
      },
    ],
    [t, onChange],
  );
}

/** The columns of the organizations. */
export function useOrganizationColumns(onChange: ChangeDashboard): DataColumn<Organization>[] {
  const { t } = useTranslation('dashboard');
  return useMemo<DataColumn<Organization>[]>(
    () => [
      {
        id: 'organizationName',
        header: t('column.organizationName'),
        cell: (row) => row.organizationName,
        sortValue: (row) => row.id,
        isTitle: true,
      },
      {
        id: 'siteCount',
        header: t('column.siteCount'),
        cell: (row) => row.siteCount,
        sortValue: (row) => row.id,
        numeric: true,
        width: '16%',
      },
      {
        id: 'isCommercial',
        header: t('column.isCommercial'),
        cell: (row) => t(row.isCommercial ? 'yes' : 'no'),
        sortValue: (row) => row.id,
        width: '18%',
      },
      {
        id: 'details',
        header: t('column.details'),
        cell: (row) => <DetailsButton id={row.id} name={row.organizationName} onChange={onChange} />,
        width: '12%',
      },
    ],
    [t, onChange],
  );
}

/** The columns of the sites. */
export function useSiteColumns(): DataColumn<DashboardSite>[] {
  const { t } = useTranslation(['dashboard', 'common']);
  return useMemo<DataColumn<DashboardSite>[]>(() => {
    const sortValue = (site: DashboardSite) => site.id;
    return [
      { id: 'name', header: t('column.siteName'), cell: (site) => <Cut text={site.name} />, sortValue, isTitle: true },
      {
        id: 'organizationId',
        header: t('column.organizationId'),
        cell: (site) => (
          <Cut text={site.organizationId} title={`${site.organizationName} (${site.organizationId})`} isShort />
        ),
        sortValue,
      },
      {
        id: 'contactWeb',
        header: t('column.contactWeb'),
        cell: (site) =>
          site.contactWeb ? (
            <Cut text={plainAddress(site.contactWeb)} title={site.contactWeb} />
          ) : (
            t('common:notAvailable')
          ),
        sortValue,
      },
      {
        id: 'contactPhone',
        header: t('column.contactPhone'),
        cell: (site) => (
          <span className={classes.whole}>
            <PhoneLink phone={site.contactPhone} />
          </span>
        ),
        sortValue,
      },
      {
        id: 'contactEmail',
        header: t('column.contactEmail'),
        cell: (site) => (
          <EmailLink email={site.contactEmail}>
            <Cut text={site.contactEmail} />
          </EmailLink>
        ),
        sortValue,
      },
      { id: 'rooms', header: t('column.rooms'), cell: (site) => site.rooms, sortValue, numeric: true },
      {
        id: 'countOfBeds',
        header: t('column.countOfBeds'),
        cell: (site) => site.countOfBeds,
        sortValue,
        numeric: true,
      },
      {
        id: 'countOfVacantBeds',
        header: t('column.countOfVacantBeds'),
        cell: (site) => site.countOfVacantBeds,
        sortValue,
        numeric: true,
      },
    ];
  }, [t]);
}
