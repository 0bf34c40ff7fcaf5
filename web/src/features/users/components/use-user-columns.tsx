import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '@/components/data-table/data-table.types';
import type { AccessUser } from '../api/types';
import { MembershipBadge } from '../ui/membership-badge';
import { UserEmail } from './user-parts';

/** Columns of both tables of users, in the order of the spec. */
const ORDER = {
  management: ['email', 'status', 'role'],
  tab: ['email', 'firstName', 'lastName', 'role', 'status'],
} as const;

/** The columns of a table of users: with names on the tab, without them in the user management. */
export function useUserColumns(kind: keyof typeof ORDER): DataColumn<AccessUser>[] {
  const { t } = useTranslation('users');
  return useMemo(() => {
    const all: Record<(typeof ORDER)['tab'][number], Omit<DataColumn<AccessUser>, 'id'>> = {
      email: {
        header: t(kind === 'management' ? 'emailColumn' : 'column.email'),
        cell: (user) => <UserEmail user={user} />,
        sortValue: (user) => user.user.email,
        isTitle: true,
      },
      firstName: {
        header: t('column.firstName'),
        cell: (user) => user.firstName,
        sortValue: (user) => user.firstName || null,
      },
      lastName: {
        header: t('column.lastName'),
        cell: (user) => user.lastName,
        sortValue: (user) => user.lastName || null,
      },
      role: {
        header: t('column.role'),
        cell: (user) => t(`role.${user.role}`),
        sortValue: (user) => t(`role.${user.role}`),
        width: '14%',
      },
      status: {
        header: t('column.status'),
        cell: (user) => <MembershipBadge status={user.membershipStatus} />,
        sortValue: (user) => t(`status.${user.membershipStatus}`),
        width: '16%',
      },
    };
    return ORDER[kind].map((id) => ({ id, ...all[id] }));
  }, [kind, t]);
}
