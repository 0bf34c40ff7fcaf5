import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { MailLink } from '@/lib/link-token';
import { useUndoEmailChange } from '../api/restore';
import { useAuthFailure } from '../ui/use-auth-error';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';
import { OtherSession } from '../ui/other-session';

/** The link in the mail to an old address, for whoever did not change the email. It asks first, as every link does. */
export function UndoEmailChange({ link }: { link?: MailLink }) {
  const { t } = useTranslation('account');
  const toFailure = useAuthFailure();
  const undo = useUndoEmailChange();
  if (undo.isSuccess) {
    return (
      <AuthLayout title={t('undoEmail.doneTitle')}>
        <Text role="status">{t('undoEmail.done')}</Text>
        {undo.data === undefined ? null : <OtherSession email={undo.data} />}
        <Button renderRoot={(props) => <Link to="/restore-password" {...props} />}>{t('undoEmail.setPassword')}</Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('undoEmail.title')} text={link ? t('undoEmail.text') : undefined}>
      <Stack gap="md">
        {link ? (
          <Button loading={undo.isPending} onClick={() => undo.mutate(link)}>
            {t('undoEmail.submit')}
          </Button>
        ) : null}
        <FormError failure={undo.error ? toFailure(undo.error) : undefined}>
          {link ? null : t('undoEmail.missing')}
        </FormError>
      </Stack>
    </AuthLayout>
  );
}
