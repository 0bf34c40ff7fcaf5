import { expect, it } from 'vitest';
import { screenOf } from './tour.utils';

it.each([
  ['/organizations', 'list'],
  ['/free-rehabs', 'list'],
  ['/paid-rehabs/o-1', 'organization'],
  ['/organizations/o-1/s-1', 'site'],
  ['/sites/s-1', 'site'],
  ['/reservations', 'reservations'],
  ['/reservations/s-1', 'reservations'],
  ['/reservations/guest/s-1/g-1', 'guest'],
  ['/reservations-request/g-1', 'request'],
  ['/contact-us', 'other'],
])('%s is the screen %s', (path, screen) => expect(screenOf(path)).toBe(screen));
