import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { passInvitation } from '@/lib/link-token';
import { useInvitationSignIn } from '../api/invited-sign-in';
import { useAuthFailure } from '../ui/use-auth-error';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';

interface LinkSignInProps {
  /** The one-time token; none when the address had none, or when it was taken before. */
  linkToken?: string;
  /** Who is signed in already, if anyone. */
  presentEmail?: string;
}

/** Signs in by the one-time token of a link. If someone is signed in already, it asks first. */
export function LinkSignIn({ linkToken, presentEmail }: LinkSignInProps) {
  const { t } = useTranslation('auth');
  const toFailure = useAuthFailure();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useInvitationSignIn();
  // Effects run twice in development; the token must be posted once.
  const wasPosted = useRef(false);

  const post = useCallback(() => {
    if (wasPosted.current || !linkToken) return;
    wasPosted.current = true;
    mutate(linkToken, {
      onSuccess: (next) => {
        if (next === 'expired') {
          passInvitation(linkToken, '/signup-expired');
          void navigate({ to: '/signup-expired', replace: true });
          return;
        }
        const { to, signIn } = next;
        void navigate({ to, state: { signIn }, replace: true });
      },
    });
  }, [linkToken, mutate, navigate]);

  const failure = linkToken ? error && toFailure(error) : { text: t('callback.missing') };

  useEffect(() => {
    if (!presentEmail) post();
  }, [post, presentEmail]);

  if (error instanceof ApiError && error.code === 'login_required') {
    return (
      <AuthLayout title={t('callback.known')} text={t('callback.knownText')}>
        <Button renderRoot={(props) => <Link to="/login" {...props} />}>{t('signIn.submit')}</Button>
      </AuthLayout>
    );
  }
  if (failure) {
    return (
      <AuthLayout title={t('callback.failed')} text={t('callback.failedText')}>
        <Stack gap="md">
          <FormError failure={failure} />
          <Anchor renderRoot={(props) => <Link to="/login" {...props} />}>{t('confirm.toLogin')}</Anchor>
        </Stack>
      </AuthLayout>
    );
  }
  if (presentEmail) {
    return (
      <AuthLayout title={t('callback.already', { email: presentEmail })} text={t('callback.alreadyText')}>
        <Group gap="sm">
          <Button loading={isPending} onClick={post}>
            {t('callback.continue')}
          </Button>
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
