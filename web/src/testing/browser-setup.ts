import '@/app/kit.css';
import '@/app/global.css';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { forgetPendingSignOut } from '@/access/sign-out';
import { pressHeldEnterOnce } from '@/app/held-enter';
import { loadTexts, type Namespace, startTexts } from '@/i18n/i18n';
import { resetServer } from './server';
import { cleanNotifications, cleanNotificationsQueue } from '@mantine/notifications';

/** The texts of every screen. English readers never load those of the server, which speaks English. */
const NAMESPACES = Object.keys(import.meta.glob('../i18n/locales/en/*.json'))
  .map((path) => path.replace(/^.*\/|\.json$/g, '') as Namespace)
  .filter((namespace) => namespace !== 'server');

pressHeldEnterOnce();

beforeAll(async () => {
  await startTexts('en');
  await loadTexts(...NAMESPACES);
});

// What a test of another file left in the same tab, such as the draft of a form that went with its page.
beforeEach(() => sessionStorage.clear());

afterEach(() => {
  resetServer();
  // A sign-out that a test began is not finished by the next one, of this file or another.
  forgetPendingSignOut();
});

// How one test left tables and filters is not how the next one finds them.
afterEach(() => {
  for (const key of Object.keys(localStorage)) {
    if (/^berth\.(tableLook|savedFilters)\./.test(key)) localStorage.removeItem(key);
  }
});

// What one test was told lies over the buttons of no other.
afterEach(() => {
  cleanNotificationsQueue();
  cleanNotifications();
});
