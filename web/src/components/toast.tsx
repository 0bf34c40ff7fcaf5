import { Button, Group, Text } from '@mantine/core';
import { hideNotification, showNotification } from '@mantine/notifications';
import i18next from 'i18next';
import { CircleAlert, CircleCheck } from 'lucide-react';

/** Five seconds (spec A section 9); the kit pauses the clock while the pointer is over a message. */
const AUTO_CLOSE_MILLISECONDS = 5000;

interface Undo {
  label?: string;
  onUndo: () => void;
}

function show(kind: 'success' | 'error', text: string, undo?: Undo): void {
  const id = crypto.randomUUID();
  const message = undo ? (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm">{text}</Text>
      <Button
        size="compact-sm"
        flex="none"
        variant="default"
        onClick={() => {
          hideNotification(id);
          undo.onUndo();
        }}
      >
        {undo.label ?? i18next.t('action.undo')}
      </Button>
    </Group>
  ) : (
    text
  );
  placeBelowHeader();
  showNotification({
    id,
    message,
    color: kind === 'error' ? 'red' : 'brand',
    icon: kind === 'error' ? <CircleAlert size={18} aria-hidden /> : <CircleCheck size={18} aria-hidden />,
    autoClose: AUTO_CLOSE_MILLISECONDS,
    role: kind === 'error' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': i18next.t('toast.close') },
  });
}

/** Messages stand just below the header, whose place depends on the banner above it and on how far the page is scrolled. */
function placeBelowHeader(): void {
  const bottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  document.documentElement.style.setProperty('--berth-toast-top', `${Math.max(0, Math.round(bottom)) + 8}px`);
}

/** Short messages about what just happened. Errors are also shown where they belong: a toast alone is missed. */
export const toast = {
  success: (text: string, options: { undo?: Undo } = {}) => show('success', text, options.undo),
  error: (text: string) => show('error', text),
};
