import { Button, Group, Stack, Title } from '@mantine/core';
import { Download, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';

interface ListFrameProps {
  title: string;
  /** How many rows are selected. */
  selected: number;
  onClear: () => void;
  /** The search. */
  tools: ReactNode;
  /** Address of the list as a file. */
  file: string;
  error: unknown;
  onRetry: () => void;
  /** The table, once its rows are there. */
  children: ReactNode;
}

/** Heading, search and file of a list, and what stands in place of its rows while there are none. */
export function ListFrame({ title, selected, onClear, tools, file, error, onRetry, children }: ListFrameProps) {
  const { t } = useTranslation(['dashboard', 'common']);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Group gap="sm" mih={36}>
          <Title order={2}>{title}</Title>
          {selected > 0 ? (
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<X size={16} aria-hidden />}
              onClick={onClear}
              aria-label={t('clearSelection', { count: selected })}
            >
              {t('common:table.selected', { count: selected })}
            </Button>
          ) : null}
        </Group>
        <Group gap="sm" align="flex-end" data-print="hide" w={{ base: '100%', sm: 'auto' }}>
          {tools}
          <Button
            component="a"
            href={file}
            download
            variant="default"
            size="md"
            leftSection={<Download size={18} aria-hidden />}
            aria-label={t('fileLabel', { list: title })}
          >
            {t('file')}
          </Button>
        </Group>
      </Group>
      {children ?? (error ? <ErrorState error={error} onRetry={onRetry} /> : <TableSkeleton />)}
    </Stack>
  );
}
