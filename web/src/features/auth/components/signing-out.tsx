import { Button, Container, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pendingSignOut } from '@/access/sign-out';
import { NetworkError } from '@/api/errors';
import { useLogout } from '@/features/account/api/session';
import { dropDeadConnections } from '@/live/drop-dead-connections';

interface SigningOutProps {
  reason?: 'idle';
  returnTo?: string;
}

/** A server that was away does not say when it is back: this often it is asked. */
const RETRY_MILLISECONDS = 10_000;

/** Ends the session, then shows the sign-in page. Nobody is told that a session ended while it goes on. */
export function SigningOut({ reason, returnTo }: SigningOutProps) {
  const { t } = useTranslation(['shell', 'common']);
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useLogout();
  const [isWaiting, setWaiting] = useState(false);
  const hasBegun = useRef(false);
  const isRunning = useRef(false);

  const toLogin = useCallback(
    () => void navigate({ to: '/login', search: { reason, returnTo }, replace: true }),
    [navigate, reason, returnTo],
  );
  const signOut = useCallback(async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await mutateAsync(reason ?? 'sign-out');
      toLogin();
    } catch (error) {
      // The idle limit of the server has ended the session by itself, or another tab did, where somebody may have signed in since.
      if (reason === 'idle' || !pendingSignOut()) toLogin();
      else setWaiting(true);
      // The connection may be dead, and the stream of events, which would notice, ended with the session.
      if (error instanceof NetworkError) void dropDeadConnections(false);
    }
    isRunning.current = false;
  }, [mutateAsync, toLogin, reason]);
  const signOutAgain = useCallback(() => {
    // Meanwhile another tab may have done it, or somebody else may have signed in: their session stays.
    if (pendingSignOut()) void signOut();
    else toLogin();
  }, [signOut, toLogin]);

  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void signOut();
  }, [signOut]);

  useEffect(() => {
    if (!isWaiting) return undefined;
    const leaveIfDone = () => {
      if (!pendingSignOut()) toLogin();
    };
    const timer = setInterval(signOutAgain, RETRY_MILLISECONDS);
    window.addEventListener('online', signOutAgain);
    window.addEventListener('storage', leaveIfDone);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', signOutAgain);
      window.removeEventListener('storage', leaveIfDone);
    };
  }, [isWaiting, signOutAgain, toLogin]);

  if (isWaiting) {
    return (
      <Container size="xs" py={64}>
        <Stack gap="md" align="flex-start" role="alert">
          <Title order={1} tabIndex={-1} data-page-heading>
            {t('logoutFailed.title')}
          </Title>
          <Text>{t('logoutFailed.text')}</Text>
          <Button loading={isPending} onClick={signOutAgain}>
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
