import { PasswordInput } from '@mantine/core';
import type { FieldError, UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useAuthText } from '../use-auth-text';
import { PasswordRules } from '../components/password-rules';

interface NewPasswordFieldsProps {
  /** What was typed so far, for the list of rules. */
  password: string;
  registration: { password: UseFormRegisterReturn; confirmation: UseFormRegisterReturn };
  errors: { password?: FieldError; confirmation?: FieldError };
}

/** A new password, its confirmation, and the rules with their state. Needs the `auth` texts. */
export function NewPasswordFields({ password, registration, errors }: NewPasswordFieldsProps) {
  const { t } = useTranslation('auth');
  const text = useAuthText();
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
        {...registration.password}
      />
      <PasswordInput
        {...shared}
        label={t('password.confirm')}
        error={text(errors.confirmation?.message)}
        {...registration.confirmation}
      />
      <PasswordRules password={password} />
    </>
  );
}
