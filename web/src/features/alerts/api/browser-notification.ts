import { onUserForgotten } from '@/lib/session-end';

const open = new Set<Notification>();

// Close open notifications when the user signs out.
onUserForgotten(() => {
  for (const notification of open) notification.close();
  open.clear();
});

/** Returns true if this browser shows notifications of pages and the user has allowed them. */
export function areNotificationsAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

/** Asks the user, unless the answer is known. `unsupported`: the browser shows none for pages. */
export async function askForNotifications(): Promise<NotificationPermission | 'unsupported'> {
  return 'Notification' in window ? Notification.requestPermission() : 'unsupported';
}

/**
 * Shows a notification of the browser, in place of an older one with the same `tag`. Never with a name: others read it too.
 * Returns false where the browser shows none for pages, as on Android.
 */
export function showNotification(text: string, tag: string, onOpen?: () => void): boolean {
  try {
    const notification = new Notification(text, { tag, lang: document.documentElement.lang, icon: '/favicon.svg' });
    open.add(notification);
    notification.addEventListener('close', () => open.delete(notification));
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      onOpen?.();
    });
    return true;
  } catch {
    return false;
  }
}
