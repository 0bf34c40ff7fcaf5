import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '@/components/use-error-text';
import { useOnline } from '@/components/use-online';
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
  const loadAgain = () => void router.invalidate();
  useOnline(loadAgain);
  const hint = isKnown ? text(error) : t('error.unexpectedHint');
  return (
    <Message title={isKnown ? t('error.failedToLoad') : t('error.unexpected')} text={hint}>
      <Button onClick={loadAgain}>{t('action.retry')}</Button>
      <Button variant="default" onClick={() => location.reload()}>
        {t('error.reload')}
      </Button>
    </Message>
  );
}

/** What an address shows that leads nowhere. */
export function NotFoundScreen() {
  const { t } = useTranslation();
  return <Message title={t('error.notFoundTitle')} text={t('error.notFound')} />;
}

interface MessageProps {
  title: string;
  text: string;
  /** What helps more than another page. */
  children?: ReactNode;
}

/** A message in place of a screen, with a link to the home page as the last thing to try. */
function Message({ title, text, children }: MessageProps) {
  const { t } = useTranslation();
  return (
    <Container size="xs" py={64} role={children ? 'alert' : undefined}>
      <Stack>
        <Title tabIndex={-1} data-page-heading>
          {title}
        </Title>
        <Text c="dimmed" lang={foreignLanguage(text)}>
          {text}
        </Text>
        <Group gap="sm">
          {children}
          <Button variant={children ? 'default' : undefined} renderRoot={(props) => <Link to="/" {...props} />}>
            {t('error.home')}
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
