import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmailLink } from '@/components/contact-link';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { Dialog } from '@/components/dialog/dialog';
import { ofKind } from '@/components/dialog/dialog-subject';
import { useRemoveAccessUser } from '../api/save-access-user';
import type { AccessUser } from '../api/types';
import { nameOf } from '../ui/name-of';
import type { UsersDialog } from '../users.utils';
import { EditUserForm } from './edit-user-form';
import { InviteForm } from './invite-form';

interface UsersDialogsProps {
  site: { id: string; name: string };
  subject: UsersDialog | null;
  /** The users of the table as they are by now. */
  users: readonly AccessUser[];
  onClose: () => void;
}

/** The dialogs of a table of users: invite, edit, why not to edit, remove. */
export function UsersDialogs({ site, subject, users, onClose }: UsersDialogsProps) {
  const { t } = useTranslation(['users', 'common']);
  const remove = useRemoveAccessUser();
  return (
    <>
      <Dialog subject={ofKind(subject, 'invite')} title={t('invite.title', { site: site.name })} onClose={onClose}>
        <InviteForm siteId={site.id} onDone={onClose} />
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'edit')}
        title={({ user }) => t('edit.title', { user: nameOf(user) })}
        onClose={onClose}
      >
        {({ user }) => <EditUserForm user={users.find(({ id }) => id === user.id) ?? user} onDone={onClose} />}
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'cannot-edit')}
        width={350}
        withCloseButton={false}
        title={t('cannotEdit.title')}
        onClose={onClose}
      >
        <Stack gap="md">
          <Text>{t('cannotEdit.text')}</Text>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('common:action.ok')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      <ConfirmMutation
        danger
        removes
        subject={ofKind(subject, 'remove')?.user}
        title={t('removal.title')}
        confirmLabel={t('action.remove')}
        run={({ id }) => remove.mutateAsync(id)}
        done={(user) => t('done.removed', { user: nameOf(user) })}
        onClose={onClose}
      >
        {(user) => (
          <>
            <Text>{t('removal.text')}</Text>
            <div>
              <Text fw={600}>{nameOf(user)}</Text>
              <Text c="dimmed">
                <EmailLink email={user.user.email} /> · {t(`role.${user.role}`)}
              </Text>
            </div>
          </>
        )}
      </ConfirmMutation>
    </>
  );
}
