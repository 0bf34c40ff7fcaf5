import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AuthLayout } from './auth-layout';

/** Says where a new link went, without telling whether there was an invitation. */
export function SignupCheckEmail() {
  const { t } = useTranslation('account');
  return (
    <AuthLayout title={t('signup.sentTitle')}>
      <Text role="status">{t('signup.sentText')}</Text>
      <Text c="dimmed">{t('signup.sentHint')}</Text>
      <Anchor renderRoot={(props) => <Link to="/login" {...props} />}>{t('signup.toLogin')}</Anchor>
    </AuthLayout>
  );
}
