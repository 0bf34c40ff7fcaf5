import { Button, Container, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLogout } from '@/features/account/api/session';

interface SigningOutProps {
  reason?: 'idle';
  returnTo?: string;
}

/** Ends the session, then shows the sign-in page. Nobody is told that a session ended while it goes on. */
export function SigningOut({ reason, returnTo }: SigningOutProps) {
  const { t } = useTranslation(['shell', 'common']);
  const navigate = useNavigate();
  const { mutateAsync, isPending, isError } = useLogout();
  const hasBegun = useRef(false);

  const signOut = useCallback(async () => {
    const toLogin = () => navigate({ to: '/login', search: { reason, returnTo }, replace: true });
    try {
      await mutateAsync(reason ?? 'sign-out');
      await toLogin();
    } catch {
      // The idle limit of the server has ended the session by itself.
      if (reason === 'idle') await toLogin();
    }
  }, [mutateAsync, navigate, reason, returnTo]);

  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void signOut();
  }, [signOut]);

  const isWaiting = isError && reason !== 'idle';
  useEffect(() => {
    if (!isWaiting) return undefined;
    const retry = () => void signOut();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isWaiting, signOut]);

  if (isWaiting) {
    return (
      <Container size="xs" py={64}>
        <Stack gap="md" align="flex-start" role="alert">
          <Title order={1} tabIndex={-1} data-page-heading>
            {t('logoutFailed.title')}
          </Title>
          <Text>{t('logoutFailed.text')}</Text>
          <Button loading={isPending} onClick={() => void signOut()}>
            {t('common:action.retry')}
          </Button>
        </Stack>
      </Container>
    );
  }
  return (
    <Group gap="sm" p="xl" justify="center" role="status">
      <Loader size="sm" />
      <Text>{t('loggingOut')}</Text>
    </Group>
  );
}
