import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSession } from '@/access/end-session';
import { useUser } from '@/access/use-user';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { useDeleteProfile } from '../api/profile';
import { useFreshProof } from '@/features/auth/ui/use-fresh-proof';

/** Deletes the own profile, after the word was typed. */
export function ProfileDeletion() {
  const { t } = useTranslation(['account', 'common']);
  const user = useUser();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deletion = useDeleteProfile();
  const { withProof, dialog } = useFreshProof();
  const [isOpen, setIsOpen] = useState(false);

  const leave = () => {
    endSession(queryClient, 'sign-out');
    void navigate({ to: '/login', replace: true });
  };

  return (
    <Group justify="space-between">
      <Text>{t('profile.deleteHint')}</Text>
      <Button color="red" onClick={() => setIsOpen(true)}>
        {t('profile.delete')}
      </Button>
      <ConfirmMutation
        danger
        subject={isOpen}
        title={t('profile.deleteTitle')}
        confirmLabel={t('profile.delete')}
        needsWord
        run={() => withProof(() => deletion.mutateAsync())}
        onDone={leave}
        onClose={() => setIsOpen(false)}
      >
        <Text>{t('profile.deleteText', { email: user.email })}</Text>
      </ConfirmMutation>
      {dialog}
    </Group>
  );
}
