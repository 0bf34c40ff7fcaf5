import '@/app/kit.css';
import '@/app/global.css';
import { afterEach, beforeAll } from 'vitest';
import { loadTexts, startTexts } from '@/i18n/i18n';
import { resetServer } from './server';
import { cleanNotifications, cleanNotificationsQueue } from '@mantine/notifications';

beforeAll(async () => {
  await startTexts('en');
  await loadTexts(
    'auth',
    'board',
    'catalog',
    'faq',
    'guests',
    'houses',
    'images',
    'legal',
    'organizations',
    'reservations',
    'shell',
    'site-form',
    'site-info',
    'sites',
    'tour',
    'users',
  );
});

afterEach(() => resetServer());

// What one test was told lies over the buttons of no other.
afterEach(() => {
  cleanNotificationsQueue();
  cleanNotifications();
});
