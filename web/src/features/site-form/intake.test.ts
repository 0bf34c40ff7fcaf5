import { describe, expect, it } from 'vitest';
import { ALL_DAY } from '@/lib/time';
import {
  emptyIntake,
  faultOf,
  fromSlots,
  intakeOf,
  type IntakeValue,
  toIntakePeriods,
  toSlots,
  withEnabled,
  withFrom,
  withTo,
} from './intake.utils';

const period = (from: string, to: string, enabled = true): IntakeValue => ({
  timePeriod: 'Weekends',
  enabled,
  from,
  to,
});

describe('stored intake hours', () => {
  it('show every group of days once, in the order of the form', () => {
    const values = intakeOf([{ timePeriod: 'Holidays', enabled: true, from: '10:00:00', to: '12:00:00' }]);
    expect(values.map(({ timePeriod, enabled }) => [timePeriod, enabled])).toEqual([
      ['Monday to Friday', false],
      ['Weekends', false],
      ['Holidays', true],
    ]);
    expect(intakeOf([])).toEqual(emptyIntake());
  });

  it('are read under the name of the short list, too', () => {
    const [first] = intakeOf([{ timePeriod: 'Weekdays', enabled: true, from: '08:00:00', to: '12:00:00' }]);
    expect(first).toEqual({ timePeriod: 'Monday to Friday', enabled: true, from: '08:00:00', to: '12:00:00' });
  });

  it.each([
    ['09:10:00', '09:00:00'],
    ['09:15:00', '09:30:00'],
    ['09:44:59', '09:30:00'],
    ['23:50:00', '24:00:00'],
    ['00:14:00', '00:00:00'],
  ])('%s is rounded to %s', (stored, shown) => {
    const value = intakeOf([{ timePeriod: 'Weekends', enabled: true, from: stored, to: '24:00:00' }])[1];
    expect(value?.from).toBe(shown);
  });

  it('All Day stands in both, also when the end is missing', () => {
    const value = intakeOf([{ timePeriod: 'Weekends', enabled: true, from: ALL_DAY, to: null }])[1];
    expect(value).toMatchObject({ from: ALL_DAY, to: ALL_DAY });
  });

  it('are 9 to 5 where an enabled period is empty or cannot be read, and empty where it is not enabled', () => {
    const read = (enabled: boolean, from: string | null) =>
      intakeOf([{ timePeriod: 'Weekends', enabled, from, to: null }])[1];
    expect(read(true, null)).toMatchObject({ from: '09:00:00', to: '17:00:00' });
    expect(read(true, 'noon')).toMatchObject({ from: '09:00:00', to: '17:00:00' });
    expect(read(false, null)).toMatchObject({ from: '', to: '' });
    expect(read(true, '10:00:00')).toMatchObject({ from: '10:00:00', to: '' });
  });
});

describe('the checkbox', () => {
  it('gives an empty period 9 to 5, and leaves chosen hours alone', () => {
    expect(withEnabled(period('', '', false), true)).toEqual(period('09:00:00', '17:00:00'));
    expect(withEnabled(period('10:00:00', '11:00:00', false), true)).toEqual(period('10:00:00', '11:00:00'));
    expect(withEnabled(period('10:00:00', '', false), true)).toEqual(period('10:00:00', ''));
  });

  it('keeps the hours for later when it is taken away', () => {
    expect(withEnabled(period('10:00:00', '11:00:00'), false)).toEqual(period('10:00:00', '11:00:00', false));
  });
});

describe('the start', () => {
  it.each([
    ['All Day takes the end with it', period('09:00:00', '17:00:00'), ALL_DAY, ALL_DAY],
    ['leaving All Day brings the default end back', period(ALL_DAY, ALL_DAY), '08:00:00', '17:00:00'],
    ['leaving All Day for the evening ends with the day', period(ALL_DAY, ALL_DAY), '17:00:00', '24:00:00'],
    ['an end after it stays', period('09:00:00', '17:00:00'), '12:00:00', '17:00:00'],
    ['an end at it stays', period('09:00:00', '17:00:00'), '17:00:00', '17:00:00'],
    ['an end before it moves on by the length', period('09:00:00', '11:00:00'), '12:00:00', '14:00:00'],
    ['as far as the day goes', period('09:00:00', '17:00:00'), '20:00:00', '24:00:00'],
    ['without a length by one step', period('10:00:00', '10:00:00'), '12:00:00', '12:30:00'],
    ['after a start that was not chosen by one step', period('', '10:00:00'), '12:00:00', '12:30:00'],
    ['an end that is not chosen stays so', period('09:00:00', ''), '12:00:00', ''],
    ['taking it away leaves the end', period('09:00:00', '17:00:00'), '', '17:00:00'],
    ['after a broken All Day the end moves on by one step', period(ALL_DAY, '10:00:00'), '12:00:00', '12:30:00'],
  ])('%s', (_name, before, from, to) => expect(withFrom(before, from)).toMatchObject({ from, to }));
});

it('the end is what was chosen', () => {
  expect(withTo(period('09:00:00', '17:00:00'), '18:00:00')).toEqual(period('09:00:00', '18:00:00'));
});

describe('the selects', () => {
  it('offer All Day and 49 slots as a start', () => {
    expect(fromSlots()).toHaveLength(50);
    expect(fromSlots().slice(0, 3)).toEqual([ALL_DAY, '00:00:00', '00:30:00']);
    expect(fromSlots().at(-1)).toBe('24:00:00');
  });

  it('offer no end before the start', () => {
    expect(toSlots('')).toHaveLength(49);
    expect(toSlots('23:00:00')).toEqual(['23:00:00', '23:30:00', '24:00:00']);
    expect(toSlots(ALL_DAY)).toEqual([ALL_DAY]);
  });
});

describe('the hours of an enabled period', () => {
  it.each([
    ['both must be filled', period('', '17:00:00'), { field: 'from', message: 'intakeBoth' }],
    ['both must be filled', period('09:00:00', ''), { field: 'to', message: 'intakeBoth' }],
    ['All Day must be in both', period(ALL_DAY, '17:00:00'), { field: 'to', message: 'intakeAllDay' }],
    ['All Day must be in both', period('09:00:00', ALL_DAY), { field: 'from', message: 'intakeAllDay' }],
    ['the end is not before the start', period('17:00:00', '09:00:00'), { field: 'to', message: 'intakeOrder' }],
    ['may be a range', period('09:00:00', '17:00:00'), undefined],
    ['may be the whole day', period(ALL_DAY, ALL_DAY), undefined],
    ['do not matter when it is not enabled', period('17:00:00', '', false), undefined],
  ])('%s', (_name, value, fault) => expect(faultOf(value)).toEqual(fault));
});

it('nothing chosen is sent as null', () => {
  expect(toIntakePeriods([period('', '', false), period(ALL_DAY, ALL_DAY)])).toEqual([
    { timePeriod: 'Weekends', enabled: false, from: null, to: null },
    { timePeriod: 'Weekends', enabled: true, from: ALL_DAY, to: ALL_DAY },
  ]);
});
