import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ValidationError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { SubmitButton } from '@/components/submit-button';
import { useErrorText } from '@/components/use-error-text';
import type { MailLink } from '@/lib/link-token';
import { useResetPassword } from '../api/restore';
import { useNewPasswordForm } from '../ui/use-new-password-form';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';
import { NewPasswordFields } from '../ui/new-password-fields';
import { OtherSession } from '../ui/other-session';

/** A new password by the link of a mail; `link` is missing when the address had none. */
export function ResetPasswordForm({ link }: { link?: MailLink }) {
  const { t } = useTranslation(['account', 'common']);
  const errorText = useErrorText();
  const reset = useResetPassword();
  const [failure, setFailure] = useState<string>();
  const form = useNewPasswordForm();

  const handleSubmit = form.handleSubmit(async (fields) => {
    if (reset.isPending || !link) return;
    setFailure(undefined);
    try {
      await reset.mutateAsync({ ...link, newPassword: fields.password });
    } catch (error) {
      setFailure(
        error instanceof ValidationError
          ? applyFieldErrors(form.setError, error, ['password'], { newPassword: 'password' })
          : errorText(error),
      );
    }
  });

  if (reset.isSuccess) {
    return (
      <AuthLayout title={t('reset.doneTitle')}>
        <Text role="status">{t('reset.done')}</Text>
        {reset.data === undefined ? (
          <Button renderRoot={(props) => <Link to="/login" {...props} />}>{t('reset.openLogin')}</Button>
        ) : (
          <OtherSession email={reset.data} />
        )}
      </AuthLayout>
    );
  }
  const again = <Anchor renderRoot={(props) => <Link to="/restore-password" {...props} />}>{t('reset.again')}</Anchor>;
  if (!link) {
    return (
      <AuthLayout title={t('reset.title')}>
        <FormError>{t('reset.missing')}</FormError>
        {again}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('reset.title')} text={t('reset.text')}>
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          <NewPasswordFields form={form} />
          <SubmitButton fullWidth loading={reset.isPending}>
            {t('common:action.save')}
          </SubmitButton>
          <FormError>{failure}</FormError>
          {failure ? again : null}
        </Stack>
      </form>
    </AuthLayout>
  );
}
