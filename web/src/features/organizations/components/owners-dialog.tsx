import { Divider, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Refusal } from '@/components/refusal';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { Dialog } from '@/components/dialog/dialog';
import type { DialogSubject } from '@/components/dialog/dialog-subject';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { MenuButton, type MenuEntry } from '@/components/menu-button';
import { TableSkeleton } from '@/components/skeletons';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useDisableAccessUser, useRemoveAccessUser, useResendInvitation } from '@/features/users/api/save-access-user';
import type { AccessUser } from '@/features/users/api/types';
import { ownersQuery } from '../api/owners';
import { InviteOwnerForm } from './invite-owner-form';
import { nameOf } from '@/features/users/ui/name-of';
import { UserRow } from './user-row';
import classes from './organizations.module.css';

interface OwnersDialogProps {
  subject: DialogSubject<object>;
  organization: Schemas['Organization'];
  onClose: () => void;
}

/** Who owns an organization, and the form that invites one more (spec A section 2, Organization detail). */
export function OwnersDialog({ subject, organization, onClose }: OwnersDialogProps) {
  const { t } = useTranslation('organizations');
  const [leaving, setLeaving] = useState<AccessUser | null>(null);
  return (
    <>
      <Dialog subject={subject} title={t('owners.title', { name: organization.name })} onClose={onClose}>
        <Stack gap="lg">
          <Owners organizationId={organization.id} onRemove={setLeaving} />
          <Divider />
          <InviteOwnerForm organizationId={organization.id} />
        </Stack>
      </Dialog>
      <Removal user={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

interface OwnersProps {
  organizationId: string;
  onRemove: (user: AccessUser) => void;
}

function Owners({ organizationId, onRemove }: OwnersProps) {
  const { t } = useTranslation(['organizations', 'users']);
  const errorText = useErrorText();
  const { data: owners, error, isPending, refetch } = useQuery(ownersQuery(organizationId));
  const disable = useDisableAccessUser();
  const resend = useResendInvitation();
  const [refusal, setRefusal] = useState<string>();

  const run = async (about: string, work: Promise<unknown>, done: string) => {
    setRefusal(undefined);
    try {
      await work;
      toast.success(done, { about });
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };

  /** What the server lets the caller do to this person. */
  const entries = (user: AccessUser): MenuEntry[] => {
    const name = nameOf(user);
    const isDisabled = user.membershipStatus === 'Disabled';
    const words = isDisabled ? (['users:action.enable', 'users:done.enabled'] as const) : DISABLE;
    return [
      ...(user.can.resend
        ? [
            {
              label: t('users:action.resend'),
              onSelect: () =>
                void run(user.id, resend.mutateAsync(user.id), t('users:done.resent', { email: user.user.email })),
            },
          ]
        : []),
      ...(user.can.disable
        ? [
            {
              label: t(words[0]),
              onSelect: () =>
                void run(user.id, disable.mutateAsync({ user, isDisabled: !isDisabled }), t(words[1], { user: name })),
            },
          ]
        : []),
      ...(user.can.remove ? [{ label: t('users:action.remove'), danger: true, onSelect: () => onRemove(user) }] : []),
    ];
  };

  if (isPending) return <TableSkeleton rows={2} />;
  if (!owners) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (owners.length === 0) {
    return (
      <EmptyState
        title={t('owners.empty')}
        hint={t('owners.emptyHint')}
        icon={<UserRound size={32} strokeWidth={1.5} />}
      />
    );
  }
  return (
    <section>
      <Title order={3} mb="xs">
        {t('owners.list')}
      </Title>
      <ul className={classes.rows}>
        {owners.map((user) => (
          <UserRow key={user.id} user={user}>
            <span data-owner-menu={user.id}>
              <MenuButton label={t('menu', { name: nameOf(user) })} entries={entries(user)} />
            </span>
          </UserRow>
        ))}
      </ul>
      <Refusal mt="sm">{refusal}</Refusal>
    </section>
  );
}

const DISABLE = ['users:action.disable', 'users:done.disabled'] as const;

/** Asks before an owner goes. */
function Removal({ user, onClose }: { user: AccessUser | null; onClose: () => void }) {
  const { t } = useTranslation(['organizations', 'users']);
  const remove = useRemoveAccessUser();
  return (
    <ConfirmMutation
      danger
      removes
      subject={user}
      title={t('owners.removeTitle')}
      confirmLabel={t('owners.remove')}
      run={({ id }) => remove.mutateAsync(id)}
      done={(owner) => t('users:done.removed', { user: nameOf(owner) })}
      onClose={onClose}
    >
      {(owner) => (
        <>
          <Text>{t('owners.removeText')}</Text>
          <Text fw={600}>{nameOf(owner)}</Text>
        </>
      )}
    </ConfirmMutation>
  );
}
