import { describe, expect, it } from 'vitest';
import { guest } from '@/testing/bed-builders';
import { placeForGuest, shortDateTime, waitingReservations } from './reservations.utils';

const NOW = Date.parse('2026-11-21T10:00:00Z');

describe('waitingReservations', () => {
  it('are those that the server calls pending, whatever the time, the most urgent first', () => {
    const guests = [
      guest('by-hand'),
      guest('held', { expiresAt: '2026-11-21T11:00:00Z' }),
      guest('long-ago', { expiresAt: '2001-01-01T00:00:00Z' }),
      guest('placed', { status: 'accepted' }),
    ];
    expect(waitingReservations(guests).map(({ id }) => id)).toEqual(['long-ago', 'held', 'by-hand']);
  });
});

describe('placeForGuest', () => {
  it('needs more vacant beds than reservations', () => {
    expect(placeForGuest({ vacant: 3, offered: 0, pending: 2 }, false)).toBe('free');
    expect(placeForGuest({ vacant: 2, offered: 0, pending: 2 }, false)).toBe('full');
    expect(placeForGuest({ vacant: 0, offered: 0, pending: 0 }, false)).toBe('full');
  });
  it('is there for a walk-in while a bed is vacant', () => {
    expect(placeForGuest({ vacant: 3, offered: 0, pending: 2 }, true)).toBe('free');
    expect(placeForGuest({ vacant: 1, offered: 0, pending: 4 }, true)).toBe('walk-in');
    expect(placeForGuest({ vacant: 0, offered: 0, pending: 4 }, true)).toBe('full');
  });
  it('counts no bed that is on offer to a person of the waitlist', () => {
    expect(placeForGuest({ vacant: 3, offered: 1, pending: 2 }, false)).toBe('full');
    expect(placeForGuest({ vacant: 1, offered: 1, pending: 0 }, true)).toBe('full');
  });
});

describe('shortDateTime', () => {
  const at = (instant: string) => shortDateTime(instant, 'en', 'America/Los_Angeles', NOW).replaceAll('\u202F', ' ');
  it('is in the time zone of the site, without this year', () =>
    expect(at('2026-11-21T08:02:00Z')).toBe('Nov 21, 12:02 AM PST'));
  it('names another year', () => expect(at('2025-12-31T20:00:00Z')).toBe('Dec 31, 2025, 12:00 PM PST'));
});
