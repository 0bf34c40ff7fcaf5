import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSession } from '@/access/end-session';
import { useUser } from '@/access/use-user';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { useErrorText } from '@/components/use-error-text';
import { useDeleteProfile } from '../api/profile';
import { useFreshProof } from '../use-fresh-proof';

/** What must be typed exactly (spec A section 9). */
const WORD = 'DELETE';

/** Deletes the own profile, after the word was typed. */
export function ProfileDeletion() {
  const { t } = useTranslation(['account', 'common']);
  const user = useUser();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deletion = useDeleteProfile();
  const { withProof, dialog } = useFreshProof();
  const [isOpen, setIsOpen] = useState(false);
  const [word, setWord] = useState('');
  const [error, setError] = useState<string>();

  const close = () => {
    setIsOpen(false);
    setWord('');
    setError(undefined);
  };
  const handleConfirm = async () => {
    if (deletion.isPending || word !== WORD) return;
    setError(undefined);
    try {
      if (!(await withProof(() => deletion.mutateAsync()))) return;
      endSession(queryClient, 'sign-out');
      await navigate({ to: '/login', replace: true });
    } catch (refusal) {
      setError(errorText(refusal));
    }
  };

  return (
    <Group justify="space-between">
      <Text>{t('profile.deleteHint')}</Text>
      <Button color="red" onClick={() => setIsOpen(true)}>
        {t('profile.delete')}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={t('profile.deleteTitle')}
        confirmLabel={t('profile.delete')}
        danger
        busy={deletion.isPending}
        error={error}
        confirmDisabled={word !== WORD}
        onConfirm={() => void handleConfirm()}
        onCancel={close}
      >
        <Text>{t('profile.deleteText', { email: user.email })}</Text>
        <TextInput
          label={t('profile.deleteWord')}
          autoComplete="off"
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
      </ConfirmDialog>
      {dialog}
    </Group>
  );
}
