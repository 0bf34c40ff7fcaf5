import { Button, Stack, Text } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { foreignLanguage } from '@/api/problem-words';
import { useErrorText } from './use-error-text';

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
}

/** Stands in place of what could not be loaded. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  const text = useErrorText();
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center" role="alert">
      <Text component="span" c="dimmed" aria-hidden lh={1}>
        <CloudOff size={32} strokeWidth={1.5} />
      </Text>
      <Text fw={600}>{t('error.failedToLoad')}</Text>
      <Text c="dimmed" size="sm" maw={480} lang={foreignLanguage(text(error))}>
        {text(error)}
      </Text>
      {onRetry ? (
        <Button variant="default" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      ) : null}
    </Stack>
  );
}
