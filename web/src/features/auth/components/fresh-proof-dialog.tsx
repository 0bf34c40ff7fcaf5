import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldMessage } from '@/api/field-message';
import { Dialog } from '@/components/dialog/dialog';
import { HeldForm } from '@/components/form/held-form';
import { WORKS_WHILE_SENT } from '@/components/form/use-held-fields';
import { SubmitButton } from '@/components/submit-button';
import { useErrorText } from '@/components/use-error-text';
import { useProve } from '../api/prove';

interface FreshProofDialogProps {
  onProved: () => void;
  onCancel: () => void;
}

/** Asks for the password once more before a sensitive change. */
export function FreshProofDialog({ onProved, onCancel }: FreshProofDialogProps) {
  const { t } = useTranslation(['account', 'common']);
  const errorText = useErrorText();
  const prove = useProve();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may stand inside another form, which must not be sent with it.
    event.stopPropagation();
    if (prove.isPending) return;
    if (password === '') {
      setError(t('proof.required'));
      return;
    }
    prove.mutate(password, {
      onSuccess: onProved,
      onError: (failure) => setError(fieldMessage(failure) ?? errorText(failure)),
    });
  };

  return (
    <Dialog subject width={350} title={t('proof.title')} onClose={onCancel}>
      <HeldForm isSending={prove.isPending} error={error} onSubmit={handleSubmit}>
        <Stack gap="md">
          <Text>{t('proof.text')}</Text>
          <PasswordInput
            label={t('proof.password')}
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': t('profile.showPassword') }}
            value={password}
            error={error}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setError(undefined);
            }}
          />
          <Group justify="flex-end" gap="sm" {...WORKS_WHILE_SENT}>
            <Button variant="default" onClick={onCancel}>
              {t('common:action.cancel')}
            </Button>
            <SubmitButton loading={prove.isPending}>{t('common:action.confirm')}</SubmitButton>
          </Group>
        </Stack>
      </HeldForm>
    </Dialog>
  );
}
