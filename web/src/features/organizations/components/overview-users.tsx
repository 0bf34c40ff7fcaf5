import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Refusal } from '@/components/refusal';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useDisableAccessUser } from '@/features/users/api/save-access-user';
import type { AccessUser } from '@/features/users/api/types';
import { overviewUsersQuery } from '../api/owners';
import { nameOf } from '@/features/users/ui/name-of';
import { UserRow } from './user-row';
import classes from './organizations.module.css';

interface OverviewUsersProps {
  /** Global admins stand in a list of their own; nobody enables or disables them here (spec A section 6). */
  kind: 'users' | 'admins';
  search: string;
}

/** The people of the platform with their places; more are loaded when asked for. */
export function OverviewUsers({ kind, search }: OverviewUsersProps) {
  const { t } = useTranslation(['organizations', 'users']);
  const query = useInfiniteQuery({ ...overviewUsersQuery(kind, search), placeholderData: keepPreviousData });
  if (query.isPending) return <TableSkeleton rows={4} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const loaded = query.data.pages.flatMap((page) => page.items);
  const users = kind === 'users' ? loaded.filter(({ role }) => role !== 'GlobalAdmin') : loaded;
  const total = query.data.pages[0]?.totalCount ?? 0;
  if (users.length === 0 && !query.hasNextPage) {
    return <EmptyState title={t('overview.nothing')} hint={t('overview.nothingHint')} />;
  }
  return (
    <>
      <p className="berth-hidden" role="status">
        {t('overview.found', { count: users.length })}
      </p>
      <div
        className={classes.scroll}
        role="region"
        aria-label={t(`overview.tabs.${kind}`)}
        // A scrolling area must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <ul className={`${classes.rows} ${classes.long}`}>
          {users.map((user) => (
            <UserRow key={user.id} user={user} place={placeOf(user)}>
              {kind === 'users' && user.can.disable ? <AccessButton user={user} /> : null}
            </UserRow>
          ))}
        </ul>
      </div>
      {query.hasNextPage ? (
        <Group justify="space-between" mt="sm">
          <Text c="dimmed" size="sm">
            {t('overview.shown', { shown: loaded.length, total })}
          </Text>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('overview.more')}
          </Button>
        </Group>
      ) : null}
    </>
  );

  function placeOf({ role, organization, siteName }: AccessUser): string {
    return [t(`users:role.${role}`), organization?.name, siteName].filter(Boolean).join(' · ');
  }
}

/** Takes the access away for a while, or gives it back. */
function AccessButton({ user }: { user: AccessUser }) {
  const { t } = useTranslation(['organizations', 'users']);
  const errorText = useErrorText();
  const change = useDisableAccessUser();
  const [refusal, setRefusal] = useState<string>();
  const isDisabled = user.membershipStatus === 'Disabled';
  const name = nameOf(user);

  const set = async (disabled: boolean) => {
    setRefusal(undefined);
    try {
      await change.mutateAsync({ user, isDisabled: disabled });
      toast.success(t(disabled ? 'users:done.disabled' : 'users:done.enabled', { user: name }), {
        about: user.id,
        undo: { onUndo: () => set(!disabled) },
      });
    } catch (error) {
      setRefusal(errorText(error));
    }
  };

  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={change.isPending}
        aria-label={t(isDisabled ? 'overview.enableUser' : 'overview.disableUser', { user: name })}
        onClick={() => void set(!isDisabled)}
      >
        {t(isDisabled ? 'overview.enable' : 'overview.disable')}
      </Button>
      <Refusal className={classes.refusal}>{refusal}</Refusal>
    </>
  );
}
