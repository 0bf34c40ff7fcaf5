import { PasswordInput } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useAuthText } from '../use-auth-text';
import { PasswordRules } from '../components/password-rules';
import type { NewPasswordForm } from './use-new-password-form';

/** A new password, its confirmation, and the rules with their state. Needs the `auth` texts. */
export function NewPasswordFields({ form }: { form: NewPasswordForm }) {
  const { t } = useTranslation('auth');
  const text = useAuthText();
  const { errors } = form.formState;
  const password = useWatch({ control: form.control, name: 'password' });
  const shared = {
    autoComplete: 'new-password',
    required: true,
    withAsterisk: false,
    visibilityToggleButtonProps: { 'aria-label': t('password.show') },
  };
  return (
    <>
      <PasswordInput
        {...shared}
        label={t('password.new')}
        error={text(errors.password?.message)}
        {...form.register('password')}
      />
      <PasswordInput
        {...shared}
        label={t('password.confirm')}
        error={text(errors.confirmation?.message)}
        {...form.register('confirmation')}
      />
      <PasswordRules password={password} />
    </>
  );
}
