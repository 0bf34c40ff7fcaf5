import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where the short messages appear; 5 seconds, paused while the pointer is over one (spec A section 9). */
export function Toasts() {
  return <Notifications position="bottom-right" transitionDuration={150} containerWidth={400} />;
}
