import { ALL_DAY, clockSlots, isAllDay, parseClock, roundClock } from '@/lib/time';

/** The groups of days, as the server names them, in the order of the form (spec A section 3, the long list). */
export const TIME_PERIODS = ['Monday to Friday', 'Weekends', 'Holidays'] as const;
export type TimePeriod = (typeof TIME_PERIODS)[number];

/** The hours of one group of days in the form; an empty text where nothing is chosen. */
export interface IntakeValue {
  timePeriod: TimePeriod;
  enabled: boolean;
  /** `hh:mm:ss`; 00:01:00 stands for All Day. */
  from: string;
  to: string;
}

/** An intake period as the server gives it. */
interface StoredPeriod {
  timePeriod: string;
  enabled: boolean;
  from: string | null;
  to: string | null;
}

/** Where an enabled, empty period begins and ends (spec A section 9). */
const DEFAULT_FROM = '09:00:00';
const DEFAULT_TO = '17:00:00';
/** The last of the 49 slots. */
const END_OF_DAY = '24:00:00';

/** The short list calls the first group Weekdays (spec A section 3). */
const LONG_NAMES: Record<string, TimePeriod> = {
  weekdays: 'Monday to Friday',
  'monday to friday': 'Monday to Friday',
  weekends: 'Weekends',
  holidays: 'Holidays',
};

/** No hours at all: where the form of a new site starts. */
export function emptyIntake(): IntakeValue[] {
  return TIME_PERIODS.map((timePeriod) => ({ timePeriod, enabled: false, from: '', to: '' }));
}

/**
 * The stored periods as the form shows them: every group of days once, times rounded to half hours, enabled periods
 * without times filled with 9 to 5 (spec A section 5). Times that cannot be read count as not chosen.
 */
export function intakeOf(periods: readonly StoredPeriod[]): IntakeValue[] {
  return emptyIntake().map((empty) => {
    const found = periods.find(({ timePeriod }) => LONG_NAMES[timePeriod.trim().toLowerCase()] === empty.timePeriod);
    if (!found) return empty;
    const value = { ...empty, enabled: found.enabled, from: readTime(found.from), to: readTime(found.to) };
    if (isAllDay(value.from)) return { ...value, to: ALL_DAY };
    return value.enabled ? withDefaults(value) : value;
  });
}

function readTime(text: string | null): string {
  if (!text) return '';
  try {
    return roundClock(text);
  } catch {
    return '';
  }
}

function withDefaults(value: IntakeValue): IntakeValue {
  return value.from === '' && value.to === '' ? { ...value, from: DEFAULT_FROM, to: DEFAULT_TO } : value;
}

/** The checkbox of a group; an empty period gets its default hours with it. The hours stay when it is taken away. */
export function withEnabled(value: IntakeValue, enabled: boolean): IntakeValue {
  return enabled ? withDefaults({ ...value, enabled }) : { ...value, enabled };
}

/**
 * Another start. All Day takes the end with it; leaving All Day brings the default end back; an end that would come
 * before the start moves on with it, so that the period keeps its length as far as the day goes.
 */
export function withFrom(value: IntakeValue, from: string): IntakeValue {
  if (isAllDay(from)) return { ...value, from, to: ALL_DAY };
  if (from === '' || value.to === '') return { ...value, from };
  const start = parseClock(from);
  if (isAllDay(value.to)) {
    return { ...value, from, to: start < parseClock(DEFAULT_TO) ? DEFAULT_TO : END_OF_DAY };
  }
  if (parseClock(value.to) >= start) return { ...value, from };
  const length = value.from === '' || isAllDay(value.from) ? 0 : parseClock(value.to) - parseClock(value.from);
  const end = clockSlots().find((slot) => parseClock(slot) >= start + Math.max(length, 30)) ?? END_OF_DAY;
  return { ...value, from, to: end };
}

/** Another end. */
export function withTo(value: IntakeValue, to: string): IntakeValue {
  return { ...value, to };
}

/** What the From select offers: All Day and the 49 slots. */
export function fromSlots(): string[] {
  return [ALL_DAY, ...clockSlots()];
}

/** What the To select offers: All Day alone when the start says so, else the slots that are not before the start. */
export function toSlots(from: string): string[] {
  if (isAllDay(from)) return [ALL_DAY];
  const start = from === '' ? 0 : parseClock(from);
  return clockSlots().filter((slot) => parseClock(slot) >= start);
}

/** What is wrong with the hours of one group, and at which of its two selects (spec A section 5). */
export type IntakeFault = { field: 'from' | 'to'; message: 'intakeBoth' | 'intakeAllDay' | 'intakeOrder' };

/** The first fault of an enabled period; a period that is not enabled has none. */
export function faultOf({ enabled, from, to }: IntakeValue): IntakeFault | undefined {
  if (!enabled) return undefined;
  if (from === '') return { field: 'from', message: 'intakeBoth' };
  if (to === '') return { field: 'to', message: 'intakeBoth' };
  if (isAllDay(from) !== isAllDay(to)) return { field: isAllDay(from) ? 'to' : 'from', message: 'intakeAllDay' };
  if (!isAllDay(from) && parseClock(to) < parseClock(from)) return { field: 'to', message: 'intakeOrder' };
  return undefined;
}

/** The periods as the server takes them. */
export function toIntakePeriods(values: readonly IntakeValue[]) {
  return values.map(({ timePeriod, enabled, from, to }) => ({
    timePeriod,
    enabled,
    from: from || null,
    to: to || null,
  }));
}
