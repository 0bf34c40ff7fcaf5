import { describe, expect, it } from 'vitest';
import {
  ALL_DAY,
  clockSlots,
  formatClock,
  formatDate,
  formatDateTime,
  formatMoment,
  formatShortDay,
  isAllDay,
  parseClock,
  parseSpan,
  roundClock,
  zoneName,
  zoneNameAllYear,
} from './time';

describe('a span is dd:hh:mm:ss', () => {
  it.each([
    ['00:01:00:00', 3600],
    ['03:00:00:00', 259_200],
    ['00:00:00:00', 0],
    ['01:02:03:04', 93_784],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseSpan(text)).toBe(seconds);
  });

  it.each(['', '1:00:00:00', '00:24:00:00', '00:00:60:00', '00:00:00:60', '00:01:00', 'aa:bb:cc:dd', '00:01:00:00 '])(
    'refuses %j',
    (text) => expect(() => parseSpan(text)).toThrow("The time must be 'dd:hh:mm:ss'."),
  );
});

describe('a time of day is hh:mm:ss', () => {
  it.each([
    ['00:00:00', 0],
    ['09:00:00', 540],
    ['23:30:00', 1410],
    ['24:00:00', 1440],
  ])('%s is minute %i', (text, minute) => expect(parseClock(text)).toBe(minute));

  it.each(['', '9:00:00', '09:00', '24:00:01', '24:30:00', '12:60:00', '12:00:60', '25:00:00'])('refuses %j', (text) =>
    expect(() => parseClock(text)).toThrow("The time must be 'hh:mm:ss'."),
  );

  it('00:01:00 means the whole day', () => {
    expect(isAllDay(ALL_DAY)).toBe(true);
    expect(isAllDay('00:00:00')).toBe(false);
  });

  it('has 49 slots of thirty minutes, both midnights included', () => {
    const slots = clockSlots();
    expect(slots).toHaveLength(49);
    expect(slots[0]).toBe('00:00:00');
    expect(slots[1]).toBe('00:30:00');
    expect(slots.at(-1)).toBe('24:00:00');
  });

  it.each([
    ['09:14:59', '09:00:00'],
    ['09:15:00', '09:30:00'],
    ['09:44:00', '09:30:00'],
    ['23:50:00', '24:00:00'],
    [ALL_DAY, ALL_DAY],
  ])('%s is rounded to %s', (text, rounded) => expect(roundClock(text)).toBe(rounded));

  it.each([
    ['00:00:00', '12:00 AM'],
    ['09:30:00', '9:30 AM'],
    ['12:00:00', '12:00 PM'],
    ['17:00:00', '5:00 PM'],
    ['24:00:00', '12:00 AM'],
  ])('%s reads %s', (text, shown) => expect(formatClock(text, 'en').replace(' ', ' ')).toBe(shown));
});

describe('a calendar day is short on tiles', () => {
  it('without the year, in every time zone', () => {
    expect(formatShortDay('2026-12-01', 'en')).toBe('Dec 1');
    expect(formatShortDay('2026-12-01', 'es')).toBe('1 dic');
  });
});

describe('instants are shown in the zone of the site', () => {
  it('as a date', () => {
    expect(formatDate('2025-11-21T03:00:00Z', 'en', 'America/Los_Angeles')).toBe('Nov 20, 2025');
    expect(formatDate('2025-11-21T03:00:00Z', 'en', 'America/New_York')).toBe('Nov 20, 2025');
    expect(formatDate('2025-11-21T12:00:00Z', 'en', 'America/New_York')).toBe('Nov 21, 2025');
  });

  it('as the time alone on the same day, and with the date on another', () => {
    const now = Date.parse('2025-11-21T22:00:00Z');
    const at = (instant: string) => formatMoment(instant, 'en', now, 'America/Los_Angeles').replaceAll('\u202F', ' ');
    expect(at('2025-11-21T20:30:00Z')).toBe('12:30 PM PST');
    expect(at('2025-11-21T07:59:00Z')).toBe('Nov 20, 2025, 11:59 PM PST');
  });

  it('as date and time', () => {
    expect(formatDateTime('2025-11-21T20:30:00Z', 'en', 'America/Los_Angeles').replaceAll(' ', ' ')).toBe(
      'Nov 21, 2025, 12:30 PM PST',
    );
  });

  it("and name the zone of the site, which may not be that of the reader, in the reader's language", () => {
    const at = (language: string, zone: string) =>
      formatDateTime('2025-11-21T20:30:00Z', language, zone).replaceAll('\u202F', ' ');
    expect(at('en', 'America/New_York')).toBe('Nov 21, 2025, 3:30 PM EST');
    expect(at('es', 'America/Los_Angeles')).toBe('21 nov 2025, 12:30 p.m. PST');
    expect(zoneNameAllYear('en', 'America/Los_Angeles')).toBe('Pacific Time');
    expect(zoneName('en', new Date('2025-07-21T20:30:00Z'))).not.toBe('');
  });
});
