import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '@/components/use-error-text';
import type { MailLink } from '@/lib/link-token';
import { useConfirmEmail } from '../api/restore';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';

/** The link that was sent to a new email. It asks first: programs that look into mails open every link. */
export function ConfirmEmail({ link }: { link?: MailLink }) {
  const { t } = useTranslation('account');
  const errorText = useErrorText();
  const confirm = useConfirmEmail();
  if (confirm.isSuccess) {
    return (
      <AuthLayout title={t('confirmEmail.doneTitle')}>
        <Text role="status">{t('confirmEmail.done')}</Text>
        <Button renderRoot={(props) => <Link to="/user-settings" {...props} />}>{t('confirmEmail.toProfile')}</Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('confirmEmail.title')} text={link ? t('confirmEmail.text') : undefined}>
      <Stack gap="md">
        {link ? (
          <Button loading={confirm.isPending} onClick={() => confirm.mutate(link)}>
            {t('confirmEmail.submit')}
          </Button>
        ) : null}
        <FormError>{link ? confirm.error && errorText(confirm.error) : t('confirmEmail.missing')}</FormError>
      </Stack>
    </AuthLayout>
  );
}
