import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import './toasts.css';

/**
 * Where the short messages appear: top centre, below the header, where no menu, primary action or button of a dialog
 * lies; 5 seconds, paused while the pointer is over one (spec A section 9).
 */
export function Toasts() {
  return <Notifications position="top-center" transitionDuration={150} containerWidth={480} />;
}
