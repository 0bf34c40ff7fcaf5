import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/data-table/data-table';
import { SearchInput } from '@/components/search-input';
import { EmptyState } from '@/components/empty-state';
import { userQuery, usersPageQuery } from '../api/dashboard-queries';
import { ListFrame } from './list-frame';
import { SearchField } from './search-field';
import { useUserColumns } from './use-dashboard-columns';
import { type DashboardListProps, useDashboardList, useExistingPage } from './use-dashboard-list';
import { useOpened } from './use-opened';
import { UserDetailsDialog } from './user-details-dialog';

/** The people of the platform, one row for each (spec A section 2, Users tab). */
export function UsersTable(props: DashboardListProps) {
  const { search, onChange } = props;
  const { t } = useTranslation('dashboard');
  const list = useDashboardList('users', props);
  const { data: page, error, refetch } = useQuery(usersPageQuery(list.asked));
  useExistingPage(page, list.asked, onChange);

  const columns = useUserColumns(onChange);
  const close = () => onChange({ open: undefined });
  const opened = useOpened({ id: search.open, rows: page?.items, query: userQuery, onClose: close });
  const emailOf = (id: string) => page?.items.find((user) => user.id === id)?.email ?? id;
  return (
    <ListFrame
      title={t('tab.users')}
      selected={list.selected.size}
      onClear={() => list.setSelected(new Set())}
      file={list.file}
      error={error}
      onRetry={() => void refetch()}
      tools={
        <>
          <SearchField value={search.field} onChange={(field) => onChange({ field, page: 0 })} />
          <SearchInput
            hasLabel
            tour="dashboard-search"
            label={t('search')}
            placeholder={t('searchPlaceholder')}
            value={search.search ?? ''}
            onChange={(text) => onChange({ search: text || undefined, page: 0 })}
          />
        </>
      }
    >
      {page ? (
        <>
          <DataTable
            label={t('tab.users')}
            columns={columns}
            rows={page.items}
            rowId={(user) => user.id}
            state={list.state}
            onStateChange={list.onStateChange}
            selection={{ selected: list.selected, onChange: list.setSelected, rowLabel: emailOf }}
            mode="server"
            totalCount={page.totalCount}
            empty={
              <EmptyState
                icon={<Users size={32} strokeWidth={1.5} />}
                title={t('empty.users')}
                hint={search.search ? t('emptyHint') : undefined}
              />
            }
          />
          <UserDetailsDialog subject={opened} onClose={close} />
        </>
      ) : null}
    </ListFrame>
  );
}
