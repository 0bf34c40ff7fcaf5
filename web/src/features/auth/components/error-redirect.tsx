import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setDocumentTitle } from '@/lib/document-title';

/** Spec A section 9. Any sign of the user stops the clock: see docs/decisions on the error screen. */
const REDIRECT_SECONDS = 5;
const STOP_EVENTS = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const;

/** Shows a message from another system, then goes to the sign-in page. */
export function ErrorRedirect({ message, source }: { message: string; source?: string }) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const [seconds, setSeconds] = useState(REDIRECT_SECONDS);
  const [isStopped, setIsStopped] = useState(false);

  useEffect(() => {
    setDocumentTitle(`${t('errorScreen.title')} · Berth`);
  }, [t]);

  useEffect(() => {
    const stop = () => setIsStopped(true);
    for (const name of STOP_EVENTS) window.addEventListener(name, stop, { passive: true });
    return () => {
      for (const name of STOP_EVENTS) window.removeEventListener(name, stop);
    };
  }, []);

  useEffect(() => {
    if (isStopped) return undefined;
    if (seconds === 0) {
      void navigate({ to: '/login', replace: true });
      return undefined;
    }
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [isStopped, navigate, seconds]);

  return (
    <Container size="xs" py={64}>
      <Stack gap="md">
        <Title order={1} tabIndex={-1} data-page-heading>
          {t('errorScreen.title')}
        </Title>
        <Text role="alert">{message}</Text>
        {source ? (
          <Text c="dimmed" size="sm">
            {t('errorScreen.source', { source })}
          </Text>
        ) : null}
        <Text c="dimmed" className="tabular">
          {isStopped ? t('errorScreen.stopped') : t('errorScreen.countdown', { count: seconds })}
        </Text>
        <Group gap="sm">
          <Button onClick={() => void navigate({ to: '/login', replace: true })}>{t('errorScreen.now')}</Button>
          <Button variant="default" disabled={isStopped} onClick={() => setIsStopped(true)}>
            {t('errorScreen.stay')}
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
