import '@mantine/notifications/styles.css';
import { Notifications, useNotifications } from '@mantine/notifications';
import { useLayoutEffect } from 'react';
import { keepToastsPlaced, placeToasts } from './toast-place';
import './toasts.css';

/** Menus and tooltips of the kit stand at 300, dialogs at 200. */
const BETWEEN_DIALOGS_AND_MENUS = 250;

/** Where the short messages appear: in the header; 5 seconds, paused while the pointer is over one (spec A section 9). */
export function Toasts() {
  const { notifications } = useNotifications();
  const isAny = notifications.length > 0;
  useLayoutEffect(placeToasts, [notifications]);
  useLayoutEffect(() => (isAny ? keepToastsPlaced() : undefined), [isAny]);
  return (
    <Notifications
      position="top-center"
      transitionDuration={150}
      containerWidth={480}
      zIndex={BETWEEN_DIALOGS_AND_MENUS}
    />
  );
}
