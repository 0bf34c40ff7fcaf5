import { Button, Group, Text } from '@mantine/core';
import { cleanNotifications, hideNotification, type NotificationData, showNotification } from '@mantine/notifications';
import i18next from 'i18next';
import { Bell, CircleAlert, CircleCheck } from 'lucide-react';
import { foreignLanguage } from '@/api/problem-words';
import { isUserForgotten, onUserForgotten } from '@/lib/session-end';
import { steadyPress } from '@/lib/steady-press';
import { focusScreen } from './dialog/return-focus';

/** Five seconds (spec A section 9); the kit pauses the clock while the pointer is over a message. */
const AUTO_CLOSE_MILLISECONDS = 5000;
/** As long as the server lets the person who did it take it back; whatever has a button stays as long. */
const UNDO_MILLISECONDS = 10_000;

/** Time in milliseconds after which an undo that is still on its way is told. */
const PROGRESS_AFTER_MILLISECONDS = 400;

/** A higher stack would reach down to what is worked on. News give way first, or are not shown, then the oldest. */
const MAX_SHOWN = 2;
interface Shown {
  id: string;
  about: string;
  isNews?: boolean | undefined;
  hasButton?: boolean;
}
let shown: Shown[] = [];

// A message may name a guest, and its *Undo* would act for somebody who is gone. None comes after it, either.
const endProgress = new Set<() => void>();
onUserForgotten(() => {
  for (const end of endProgress) end();
  cleanNotifications();
  shown = [];
});

// Nobody is to read on in the language before. What has a button stays for its sake, marked as of its language.
i18next.on('languageChanged', () => {
  for (const { id, hasButton } of shown) if (!hasButton) hideNotification(id);
});

interface Undo {
  /** Takes it back. While a returned promise is pending, a message in the same place says so. */
  onUndo: () => unknown;
}

interface Action {
  label: string;
  onAction: () => void;
}

interface ToastOptions {
  undo?: Undo;
  /** What may be done about it, in place of an undo. */
  action?: Action;
  /**
   * What the message is about, such as `guest:<id>`. A newer message about the same thing takes the place of the older:
   * two that contradict each other never stand together. Without it, only the same text replaces itself.
   */
  about?: string;
}

const KINDS = {
  success: { color: 'brand', Icon: CircleCheck, role: 'status' },
  news: { color: 'brand', Icon: Bell, role: 'status' },
  error: { color: 'red', Icon: CircleAlert, role: 'alert' },
} as const;

function show(kind: keyof typeof KINDS, text: string, { undo, action, about = text }: ToastOptions): void {
  if (isUserForgotten()) return;
  const id = crypto.randomUUID();
  const button: Action | undefined = undo
    ? {
        label: i18next.t('action.undo'),
        onAction: () => {
          const outcome = undo.onUndo();
          if (outcome instanceof Promise) showProgress(outcome, about);
        },
      }
    : action;
  const { color, Icon, role } = KINDS[kind];
  const message = button ? (
    <Group justify="space-between" gap="xs">
      <Text size="sm" className="berth-toast-text">
        {text}
      </Text>
      <Button
        size="compact-sm"
        flex="none"
        variant="default"
        data-undo={undo && true}
        // The message below moves up under the pointer.
        {...steadyPress}
        onClick={() => {
          hideNotification(id);
          // The button is gone, and the message about the outcome goes by itself.
          focusScreen();
          button.onAction();
        }}
      >
        {button.label}
      </Button>
    </Group>
  ) : (
    text
  );
  present({
    id,
    about,
    isNews: kind === 'news',
    hasButton: button !== undefined,
    message,
    lang: foreignLanguage(text) ?? i18next.resolvedLanguage,
    color,
    icon: <Icon size={18} aria-hidden />,
    autoClose: button ? UNDO_MILLISECONDS : AUTO_CLOSE_MILLISECONDS,
    role,
  });
}

/** Says that something is being taken back, until the outcome is told in its place. */
function showProgress(outcome: Promise<unknown>, about: string): void {
  const id = crypto.randomUUID();
  const timer = setTimeout(() => {
    const message = i18next.t('toast.undoing');
    present({ id, about, message, loading: true, autoClose: false, withCloseButton: false, role: 'status' });
  }, PROGRESS_AFTER_MILLISECONDS);
  const end = () => {
    clearTimeout(timer);
    hideNotification(id);
  };
  endProgress.add(end);
  const settle = () => {
    endProgress.delete(end);
    end();
  };
  outcome.then(settle, settle);
}

/** Shows a message in the place of an older one about the same thing. */
function present({ id, about, isNews, hasButton = false, ...data }: NotificationData & Shown): void {
  if (isNews && shown.filter((other) => !other.isNews && other.about !== about).length >= MAX_SHOWN) return;
  makeRoom(about);
  shown = [...shown, { id, about, isNews, hasButton }];
  showNotification({
    ...data,
    id,
    onClose: () => {
      shown = shown.filter((other) => other.id !== id);
    },
    closeButtonProps: { 'aria-label': i18next.t('toast.close') },
  });
}

/** Takes away what the next message replaces, and what is too much beside it: news first, since others may wait for an *Undo*. */
function makeRoom(about: string): void {
  const kept = shown.filter((other) => other.about !== about);
  while (kept.length > MAX_SHOWN - 1) {
    kept.splice(
      Math.max(
        0,
        kept.findIndex(({ isNews }) => isNews),
      ),
      1,
    );
  }
  for (const other of shown) if (!kept.includes(other)) hideNotification(other.id);
  shown = kept;
}

/** Short messages about what just happened. Errors are also shown where they belong: a toast alone is missed. */
export const toast = {
  success: (text: string, options: ToastOptions = {}) => show('success', text, options),
  /** Something that others did and that may want an answer. */
  news: (text: string, options: ToastOptions = {}) => show('news', text, options),
  error: (text: string, options: ToastOptions = {}) => show('error', text, options),
  /** Takes the message about this thing away. */
  hide: (about: string) => {
    for (const other of shown) if (other.about === about) hideNotification(other.id);
  },
  /** Returns true while a message about this thing stands. */
  isShown: (about: string) => shown.some((other) => other.about === about),
};
