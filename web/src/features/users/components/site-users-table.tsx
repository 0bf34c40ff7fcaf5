import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Send, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/data-table/data-table';
import type { TableSearch, TableState } from '@/components/data-table/data-table.types';
import { useTableLook } from '@/components/data-table/use-table-look';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { lazyDialog } from '@/components/lazy-named';
import { containsWords, LONG_LIST } from '@/components/long-list/long-list.utils';
import { SearchInput } from '@/components/search-input';
import { TableSkeleton } from '@/components/skeletons';
import { siteUsersQuery } from '../api/site-users-query';
import { nameOf } from '../ui/name-of';
import { managementActions, tabActions, type UsersDialog } from '../users.utils';
import { useUserActions } from './use-user-actions';
import { useUserColumns } from './use-user-columns';
import { useUserMenu } from './use-user-menu';

const UsersDialogs = lazyDialog(() => import('./users-dialogs'), 'UsersDialogs');

interface SiteUsersTableProps {
  site: { id: string; name: string };
  /** management: email, status, role and all actions; tab: with names, Edit and Remove (spec A section 2). */
  kind: 'management' | 'tab';
  search: TableSearch;
  onSearch: (search: TableSearch) => void;
}

const LOOKS = {
  management: { remove: 'delete', actions: managementActions },
  tab: { remove: 'remove', actions: tabActions },
} as const;

/** Who works at a site, with the invitation of others and all that can be done to each. */
export function SiteUsersTable({ site, kind, search, onSearch }: SiteUsersTableProps) {
  const { t } = useTranslation('users');
  const [look, changeTable] = useTableLook(`users-${kind}`, search);
  const state: TableState = { ...search, ...look, sort: search.sort ?? 'email' };
  const handleChange = (next: TableState) => changeTable(next, onSearch);
  const { data: users, error, refetch } = useQuery(siteUsersQuery(site.id));
  const [dialog, setDialog] = useState<UsersDialog | null>(null);
  const { remove, actions } = LOOKS[kind];
  const menuOf = useUserMenu(useUserActions(setDialog), remove);

  const columns = useUserColumns(kind);
  const [find, setFind] = useState('');
  const isLong = users !== undefined && users.length >= LONG_LIST;
  const found = useMemo(
    () =>
      isLong
        ? users.filter((user) => containsWords([user.user.email, nameOf(user), t(`role.${user.role}`)], find))
        : (users ?? []),
    [isLong, users, find, t],
  );
  const invite = (
    <Button
      leftSection={<Send size={16} aria-hidden />}
      data-tour="invite"
      onClick={() => setDialog({ kind: 'invite' })}
    >
      {t('sendInvite')}
    </Button>
  );
  return (
    <Stack gap="md">
      <Group justify={isLong ? 'space-between' : 'flex-end'} gap="sm">
        {isLong ? (
          <SearchInput
            label={t('search')}
            value={find}
            onChange={(text) => {
              setFind(text);
              handleChange({ ...state, page: 0 });
            }}
          />
        ) : null}
        {invite}
      </Group>
      {users ? (
        <DataTable
          label={t('tableLabel')}
          columns={columns}
          rows={found}
          rowId={(user) => user.id}
          state={state}
          onStateChange={handleChange}
          rowMenu={(user) => menuOf(user, actions(user))}
          empty={
            <EmptyState
              icon={<Users size={32} strokeWidth={1.5} />}
              title={t(isLong ? 'nothing' : 'empty')}
              hint={t(isLong ? 'nothingHint' : 'emptyHint')}
            />
          }
          mode="client"
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <TableSkeleton />
      )}
      <UsersDialogs site={site} subject={dialog} users={users ?? []} onClose={() => setDialog(null)} />
    </Stack>
  );
}
