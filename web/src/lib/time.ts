/** Times and spans as the product writes them. Pure: no clock is read. */

import { dateFormat } from './date-formats';

const DAY = /^(\d{2}):(\d{2}):(\d{2}):(\d{2})$/;
const CLOCK = /^(\d{2}):(\d{2}):(\d{2})$/;

/** The stored value that means the whole day (spec A section 9). */
export const ALL_DAY = '00:01:00';
/** Thirty minutes: the step of intake times (spec A section 9). */
export const STEP_MINUTES = 30;

/** `dd:hh:mm:ss` → whole seconds. Throws when the text is not of that form. */
export function parseSpan(text: string): number {
  const match = DAY.exec(text);
  if (!match) throw new Error("The time must be 'dd:hh:mm:ss'.");
  const [days, hours, minutes, seconds] = match.slice(1).map(Number) as [number, number, number, number];
  if (hours > 23 || minutes > 59 || seconds > 59) throw new Error("The time must be 'dd:hh:mm:ss'.");
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** `hh:mm:ss` → minutes since midnight; 24:00:00 is the end of the day. Throws when the text is not of that form. */
export function parseClock(text: string): number {
  const match = CLOCK.exec(text);
  if (!match) throw new Error("The time must be 'hh:mm:ss'.");
  const [hours, minutes, seconds] = match.slice(1).map(Number) as [number, number, number];
  const isEndOfDay = hours === 24 && minutes === 0 && seconds === 0;
  if ((hours > 23 && !isEndOfDay) || minutes > 59 || seconds > 59) throw new Error("The time must be 'hh:mm:ss'.");
  return hours * 60 + minutes;
}

/** Whether the stored time means the whole day. */
export function isAllDay(text: string): boolean {
  return text === ALL_DAY;
}

/** The 49 slots of an intake control, 00:00:00 to 24:00:00 in steps of thirty minutes. */
export function clockSlots(): string[] {
  return Array.from({ length: (24 * 60) / STEP_MINUTES + 1 }, (_, index) => clockOfMinutes(index * STEP_MINUTES));
}

/** Rounds a stored time to the nearest thirty minutes; the whole-day value stays (spec A section 5). */
export function roundClock(text: string): string {
  if (isAllDay(text)) return text;
  return clockOfMinutes(Math.round(parseClock(text) / STEP_MINUTES) * STEP_MINUTES);
}

function clockOfMinutes(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
}

/** `14:30:00` → `2:30 PM` in the reader's language; both midnights read 12:00 AM. */
export function formatClock(text: string, language: string): string {
  const minutes = parseClock(text) % (24 * 60);
  return dateFormat(language, {
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone: 'UTC',
  }).format(new Date(minutes * 60_000));
}

/**
 * Date and time of an instant in a site's time zone, or in the reader's if none is given. The zone is named, since the reader
 * may be in another one: `Nov 21, 2025, 2:30 PM PST`.
 */
export function formatDateTime(instant: string | Date, language: string, timeZone?: string): string {
  return dateFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(instant));
}

/** The name of the reader's time zone at an instant, e.g. `Pacific Standard Time`. */
export function zoneName(language: string, instant: Date): string {
  return namedZone(dateFormat(language, { timeZoneName: 'long' }), instant);
}

/** The name of a time zone in summer and winter alike, e.g. `Pacific Time`. */
export function zoneNameAllYear(language: string, timeZone: string): string {
  return namedZone(dateFormat(language, { timeZone, timeZoneName: 'longGeneric' }), new Date(0));
}

function namedZone(format: Intl.DateTimeFormat, instant: Date): string {
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Date of an instant in a site's time zone, e.g. `Nov 21, 2025`. */
export function formatDate(instant: string | Date, language: string, timeZone?: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeZone }).format(new Date(instant));
}

/** A calendar day such as `2026-12-01`, without regard to time zones: `Dec 1, 2026`. */
export function formatDay(day: string, language: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

/** A calendar day of this year or the next: `Dec 1`. */
export function formatShortDay(day: string, language: string): string {
  return dateFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

/** An instant near `now` (epoch milliseconds): only the time on the same day, else date and time. */
export function formatMoment(instant: string, language: string, now: number, timeZone?: string): string {
  const day = dateFormat('en-US', { dateStyle: 'short', timeZone });
  const isToday = day.format(Date.parse(instant)) === day.format(now);
  return isToday
    ? dateFormat(language, {
        hour: 'numeric',
        minute: '2-digit',
        hour12: true,
        timeZone,
        timeZoneName: timeZone === undefined ? undefined : 'short',
      }).format(Date.parse(instant))
    : formatDateTime(instant, language, timeZone);
}

/** The calendar day of an instant in a time zone, as date inputs know it: `2026-12-01`. */
export function isoDay(instant: string | Date, timeZone: string): string {
  return new Date(calendarDay(instant, timeZone) * 86_400_000).toISOString().slice(0, 10);
}

function calendarDay(instant: string | Date, timeZone: string): number {
  const parts = dateFormat('en-US', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' });
  const part = Object.fromEntries(
    parts.formatToParts(new Date(instant)).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1) / 86_400_000;
}
