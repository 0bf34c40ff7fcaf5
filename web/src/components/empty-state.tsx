import { Stack, Text } from '@mantine/core';
import { BedDouble } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** What to do next, in one sentence. */
  hint?: string;
  action?: ReactNode;
  icon?: ReactNode;
}

/** Says that there is nothing, and what to do next. */
export function EmptyState({ title, hint, action, icon }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Text component="span" c="dimmed" aria-hidden lh={1}>
        {icon ?? <BedDouble size={32} strokeWidth={1.5} />}
      </Text>
      <Text fw={600}>{title}</Text>
      {hint ? (
        <Text c="dimmed" size="sm" maw={420}>
          {hint}
        </Text>
      ) : null}
      {action}
    </Stack>
  );
}
