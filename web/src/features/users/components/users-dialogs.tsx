import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useFocusBack } from '@/components/use-focus-back';
import { useLast } from '@/components/use-last';
import { useRemoveAccessUser } from '../api/save-access-user';
import { nameOf, type UsersDialog } from '../users.utils';
import { EditUserForm } from './edit-user-form';
import { InviteForm } from './invite-form';

interface UsersDialogsProps {
  site: { id: string; name: string };
  dialog: UsersDialog | null;
  onClose: () => void;
}

/** The dialogs of a table of users: invite, edit, why not to edit, remove. */
export function UsersDialogs({ site, dialog, onClose }: UsersDialogsProps) {
  const { t } = useTranslation(['users', 'common']);
  const shown = useLast(dialog);
  const user = shown && 'user' in shown ? shown.user : null;
  const menu = dialog && 'user' in dialog ? t('menu', { user: dialog.user.user.email }) : null;
  useFocusBack(menu && `button[aria-label="${CSS.escape(menu)}"]`);
  const modal = {
    size: 440,
    onClose,
    // What was typed is not lost by a click beside the form.
    closeOnClickOutside: false,
    closeButtonProps: { 'aria-label': t('common:action.close') },
  };
  return (
    <>
      <Modal {...modal} opened={dialog?.kind === 'invite'} title={t('invite.title', { site: site.name })}>
        <InviteForm siteId={site.id} onDone={onClose} />
      </Modal>
      <Modal {...modal} opened={dialog?.kind === 'edit'} title={user && t('edit.title', { user: nameOf(user) })}>
        {user ? <EditUserForm user={user} onDone={onClose} /> : null}
      </Modal>
      <Modal
        size={440}
        opened={dialog?.kind === 'cannot-edit'}
        onClose={onClose}
        withCloseButton={false}
        title={t('cannotEdit.title')}
      >
        <Stack gap="md">
          <Text>{t('cannotEdit.text')}</Text>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('common:action.ok')}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <Removal dialog={dialog} onClose={onClose} />
    </>
  );
}

function Removal({ dialog, onClose }: Omit<UsersDialogsProps, 'site'>) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const remove = useRemoveAccessUser();
  const opened = dialog?.kind === 'remove';
  const user = useLast(opened ? dialog.user : null);
  const close = () => {
    remove.reset();
    onClose();
  };
  if (!user) return null;
  return (
    <ConfirmDialog
      opened={opened}
      title={t('removal.title')}
      confirmLabel={t('action.remove')}
      danger
      busy={remove.isPending}
      error={remove.error ? errorText(remove.error) : null}
      onConfirm={() =>
        remove.mutate(user.id, {
          onSuccess: () => {
            toast.success(t('done.removed', { user: nameOf(user) }));
            close();
          },
        })
      }
      onCancel={close}
    >
      <Text>{t('removal.text')}</Text>
      <div>
        <Text fw={600}>{nameOf(user)}</Text>
        <Text c="dimmed">
          {user.user.email} · {t(`role.${user.role}`)}
        </Text>
      </div>
    </ConfirmDialog>
  );
}
