import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { takeLinkToken } from '@/lib/link-token';
import { useInvitationSignIn } from '../api/sign-in';
import { useAuthErrorText } from '../use-auth-error';
import { AuthLayout } from './auth-layout';
import { FormError } from './form-error';

/** Signs in by the one-time token of a link. If someone is signed in already, it asks first. */
export function LinkSignIn({ presentEmail }: { presentEmail?: string }) {
  const { t } = useTranslation('auth');
  const errorText = useAuthErrorText();
  const navigate = useNavigate();
  const { mutateAsync } = useInvitationSignIn();
  const [failure, setFailure] = useState<string>();
  // Taken once: effects run twice in development, the token must be posted once.
  const linkToken = useRef<string | undefined>(undefined);
  const wasPosted = useRef(false);
  linkToken.current ??= takeLinkToken();

  const post = useCallback(async () => {
    if (wasPosted.current) return;
    wasPosted.current = true;
    if (!linkToken.current) {
      setFailure(t('callback.missing'));
      return;
    }
    try {
      const next = await mutateAsync(linkToken.current);
      await navigate({ to: next.to, state: { signIn: { sent: next.sent } }, replace: true });
    } catch (error) {
      setFailure(errorText(error));
    }
  }, [errorText, mutateAsync, navigate, t]);

  useEffect(() => {
    if (!presentEmail) void post();
  }, [post, presentEmail]);

  if (failure) {
    return (
      <AuthLayout title={t('callback.failed')} text={t('callback.failedText')}>
        <Stack gap="md">
          <FormError>{failure}</FormError>
          <Anchor renderRoot={(props) => <Link to="/login" {...props} />}>{t('confirm.toLogin')}</Anchor>
        </Stack>
      </AuthLayout>
    );
  }
  if (presentEmail) {
    return (
      <AuthLayout title={t('callback.already', { email: presentEmail })} text={t('callback.alreadyText')}>
        <Group gap="sm">
          <Button onClick={() => void post()}>{t('callback.continue')}</Button>
          <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
            {t('callback.keep')}
          </Button>
        </Group>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('callback.title')}>
      <Group gap="sm" role="status">
        <Loader size="sm" />
        <Text>{t('callback.working')}</Text>
      </Group>
    </AuthLayout>
  );
}
