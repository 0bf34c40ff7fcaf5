import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '@/components/use-error-text';
import { ApiError, NetworkError } from '@/api/errors';
import { foreignLanguage } from '@/api/problem-words';
import { isLostWithNetwork } from './lost-code';

/** What a route shows when its loader or a component in it fails. */
export function ErrorScreen({ error: thrown }: ErrorComponentProps) {
  const { t } = useTranslation();
  const text = useErrorText();
  const router = useRouter();
  const error = isLostWithNetwork(thrown) ? new NetworkError() : thrown;
  const isKnown = error instanceof ApiError;
  useEffect(() => {
    const loadAgain = () => void router.invalidate();
    window.addEventListener('online', loadAgain);
    return () => window.removeEventListener('online', loadAgain);
  }, [router]);
  const hint = isKnown ? text(error) : t('error.unexpectedHint');
  return (
    <Container size="xs" py={64} role="alert">
      <Stack gap="md">
        <Title order={1} tabIndex={-1} data-page-heading>
          {isKnown ? t('error.failedToLoad') : t('error.unexpected')}
        </Title>
        <Text c="dimmed" lang={foreignLanguage(hint)}>
          {hint}
        </Text>
        <Group gap="sm">
          <Button onClick={() => void router.invalidate()}>{t('action.retry')}</Button>
          <Button variant="default" onClick={() => location.reload()}>
            {t('error.reload')}
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}

/** What an address shows that leads nowhere. */
export function NotFoundScreen() {
  const { t } = useTranslation();
  return (
    <Container size="xs" py={64}>
      <Stack gap="md" align="flex-start">
        <Title order={1} tabIndex={-1} data-page-heading>
          {t('error.notFoundTitle')}
        </Title>
        <Text c="dimmed">{t('error.notFound')}</Text>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('error.home')}</Button>
      </Stack>
    </Container>
  );
}
