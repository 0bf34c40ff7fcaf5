import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FactList } from '@/components/fact-list';
import type { InvitationInfo } from '../api/invitation';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';
import { LinkSignIn } from './link-sign-in';

interface SignupInvitationProps {
  linkToken?: string;
  /** What the link stands for; missing when the server does not know it. */
  invitation?: InvitationInfo;
  /** Who is signed in already, if anyone. */
  presentEmail?: string;
}

/** Shows what an invitation is for before it is accepted; then it goes on as the link of the mail does. */
export function SignupInvitation({ linkToken, invitation, presentEmail }: SignupInvitationProps) {
  const { t } = useTranslation(['account', 'users']);
  const [isAccepted, setIsAccepted] = useState(false);
  const toLogin = <Anchor renderRoot={(props) => <Link to="/login" {...props} />}>{t('signup.toLogin')}</Anchor>;
  if (isAccepted && linkToken) return <LinkSignIn linkToken={linkToken} presentEmail={presentEmail} />;
  if (!linkToken || !invitation) {
    return (
      <AuthLayout title={t('signup.failedTitle')} text={t('signup.failedText')}>
        {linkToken ? null : <FormError>{t('signup.missing')}</FormError>}
        {toLogin}
      </AuthLayout>
    );
  }
  if (invitation.state === 'used') {
    return (
      <AuthLayout title={t('signup.usedTitle')} text={t('signup.usedText')}>
        <Button renderRoot={(props) => <Link to="/login" {...props} />}>{t('signup.toLogin')}</Button>
        <Anchor renderRoot={(props) => <Link to="/restore-password" {...props} />}>{t('signup.restore')}</Anchor>
      </AuthLayout>
    );
  }
  const { organizationName, siteName, role, email } = invitation;
  return (
    <AuthLayout title={t('signup.title')} text={t('signup.text')}>
      <Stack gap="md">
        <FactList
          facts={[
            { label: t('signup.organization'), value: organizationName || t('signup.platform') },
            ...(organizationName ? [{ label: t('signup.site'), value: siteName || t('signup.allSites') }] : []),
            { label: t('signup.role'), value: t(`users:role.${role}`) },
            { label: t('signup.email'), value: email },
          ]}
        />
        <Text size="sm" c="dimmed">
          {t('signup.acceptHint')}
        </Text>
        <Button size="md" fullWidth onClick={() => setIsAccepted(true)}>
          {t('signup.accept')}
        </Button>
        {toLogin}
      </Stack>
    </AuthLayout>
  );
}
