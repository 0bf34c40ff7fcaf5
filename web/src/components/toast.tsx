import { Button, Group, Text } from '@mantine/core';
import { cleanNotifications, hideNotification, showNotification } from '@mantine/notifications';
import i18next from 'i18next';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { onSessionEnd } from '@/lib/session-end';

/** Five seconds (spec A section 9); the kit pauses the clock while the pointer is over a message. */
const AUTO_CLOSE_MILLISECONDS = 5000;

/** At most so many stand there: a higher stack would reach down to the buttons of a dialog. The oldest gives way. */
const MOST = 2;
let shown: string[] = [];

// A message may name a guest, and its *Undo* would act for somebody who is gone.
onSessionEnd(() => cleanNotifications());

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
  const over = shown.slice(0, Math.max(0, shown.length + 1 - MOST));
  shown = [...shown.slice(over.length), id];
  for (const old of over) hideNotification(old);
  showNotification({
    id,
    message,
    color: kind === 'error' ? 'red' : 'brand',
    icon: kind === 'error' ? <CircleAlert size={18} aria-hidden /> : <CircleCheck size={18} aria-hidden />,
    autoClose: AUTO_CLOSE_MILLISECONDS,
    onClose: () => {
      shown = shown.filter((other) => other !== id);
    },
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
