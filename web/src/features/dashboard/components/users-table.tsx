import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '@/components/lazy-named';
import { userQuery, usersPageQuery } from '../api/dashboard-queries';
import { DashboardList } from './dashboard-list';
import { SearchField } from './search-field';
import { useUserColumns } from './use-dashboard-columns';
import { type DashboardListProps, useDashboardList } from './use-dashboard-list';
import { useOpened } from './use-opened';

const UserDetailsDialog = lazyDialog(() => import('./user-details-dialog'), 'UserDetailsDialog');

/** The people of the platform, one row for each (spec A section 2, Users tab). */
export function UsersTable(props: DashboardListProps) {
  const { search, onChange } = props;
  const { t } = useTranslation('dashboard');
  const list = useDashboardList('users', props, usersPageQuery);
  const close = () => onChange({ open: undefined });
  const opened = useOpened({ id: search.open, rows: list.page?.items, query: userQuery, onClose: close });
  return (
    <>
      <DashboardList
        list={list}
        columns={useUserColumns(onChange)}
        rowName={({ email }) => email}
        searchPlaceholder={t('searchPlaceholder')}
        searchTools={<SearchField value={search.field} onChange={(field) => onChange({ field, page: 0 })} />}
        emptyIcon={<Users size={32} strokeWidth={1.5} />}
      />
      <UserDetailsDialog subject={opened} onClose={close} />
    </>
  );
}
