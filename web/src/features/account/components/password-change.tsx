import { PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ValidationError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { fieldMessage } from '@/api/field-message';
import { FormError } from '@/features/auth/ui/form-error';
import { NewPasswordFields } from '@/features/auth/ui/new-password-fields';
import { useNewPasswordForm } from '@/features/auth/ui/use-new-password-form';
import { HeldForm } from '@/components/form/held-form';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useChangePassword } from '../api/profile';
import { useFreshProof } from '@/features/auth/ui/use-fresh-proof';

/** Another password; the old one is asked for. */
export function PasswordChange() {
  const { t } = useTranslation(['account', 'common']);
  const errorText = useErrorText();
  const change = useChangePassword();
  const { withProof, dialog } = useFreshProof();
  const [oldPassword, setOldPassword] = useState('');
  const [oldError, setOldError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const form = useNewPasswordForm();

  const send = form.handleSubmit(async (fields) => {
    if (change.isPending || oldPassword === '') return;
    setFailure(undefined);
    try {
      const body = { oldPassword, newPassword: fields.password };
      if (!(await withProof(() => change.mutateAsync(body)))) return;
      toast.success(t('profile.passwordChanged'));
      form.reset();
      setOldPassword('');
    } catch (error) {
      if (!(error instanceof ValidationError)) {
        setFailure(errorText(error));
        return;
      }
      const ofOld = fieldMessage(error, '/oldPassword');
      if (ofOld) setOldError(ofOld);
      else setFailure(applyFieldErrors(form.setError, error, ['password'], { newPassword: 'password' }));
    }
  });

  return (
    <HeldForm
      isSending={change.isPending}
      onSubmit={(event) => {
        if (oldPassword === '') setOldError(t('profile.oldPasswordRequired'));
        void send(event);
      }}
    >
      <Stack gap="md">
        <Text c="dimmed">{t('profile.passwordHint')}</Text>
        <PasswordInput
          label={t('profile.oldPassword')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('profile.showPassword') }}
          value={oldPassword}
          error={oldError}
          onChange={(event) => {
            setOldPassword(event.currentTarget.value);
            setOldError(undefined);
          }}
        />
        <NewPasswordFields form={form} />
        <FormError>{failure}</FormError>
        <div>
          <SubmitButton loading={change.isPending}>{t('profile.changePassword')}</SubmitButton>
        </div>
      </Stack>
      {dialog}
    </HeldForm>
  );
}
