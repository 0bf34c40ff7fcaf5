import { describe, expect, it } from 'vitest';
import { formatPhone, toStoredPhone } from './phone';
import { isPersonalPhone, isPhone } from './phone-plan';

describe('a phone number is +1 and ten digits', () => {
  it.each([
    ['555 123 4567', '+15551234567'],
    ['(555) 123-4567', '+15551234567'],
    ['+1 (555) 123-4567', '+15551234567'],
    ['1-555-123-4567', '+15551234567'],
    ['1 714 555 0123', '+17145550123'],
    ['1714', '+1714'],
    ['', ''],
    ['555', '+1555'],
    ['1', '+1'],
    ['+1', '+1'],
    ['+', '+'],
    ['+1 (', ''],
  ])('%s is kept as %s', (typed, stored) => expect(toStoredPhone(typed)).toBe(stored));

  it.each([
    ['+44 20 1234', '+44201234'],
    ['+442079460123', '+442079460123'],
    ['+1 555 123 4567 89', '+1555123456789'],
    ['555 123 4567 ext. 12', '555123456712'],
  ])('%s is no US number and becomes none', (typed, stored) => {
    expect(toStoredPhone(typed)).toBe(stored);
    expect(isPhone(stored)).toBe(false);
    expect(formatPhone(stored)).toBe(stored);
    expect(toStoredPhone(formatPhone(stored))).toBe(stored);
  });

  it('accepts only the whole number', () => {
    expect(isPhone('+17145551234')).toBe(true);
    expect(isPhone('+1714555123')).toBe(false);
    expect(isPhone('+171455512348')).toBe(false);
    expect(isPhone('7145551234')).toBe(false);
  });

  it.each([
    '+11145551234',
    '+17141551234',
    '+14115551234',
    '+17149111234',
    '+19005551234',
    '+17149761234',
    '+17955551234',
    '+17145551212',
  ])('%s is no number of the plan, or one that costs money', (phone) => expect(isPhone(phone)).toBe(false));

  it('codes go to numbers that a person can hold', () => {
    const services = [
      '+18005551234',
      '+18885551234',
      '+15005551234',
      '+17005551234',
      '+15215551234',
      '+17105551234',
      '+12425551234',
      '+18765551234',
    ];
    expect(services.map((phone) => [isPhone(phone), isPersonalPhone(phone)])).toEqual(
      services.map(() => [true, false]),
    );
    expect(
      ['+17145551234', '+15205551234', '+15305551234', '+12125551234', '+17875551234'].every(isPersonalPhone),
    ).toBe(true);
    expect(isPersonalPhone('+19005551234')).toBe(false);
  });

  it.each([
    ['', ''],
    ['+', '+'],
    ['+1', '+1'],
    ['+15', '+1 (5'],
    ['+1555', '+1 (555'],
    ['+15551', '+1 (555) 1'],
    ['+1555123', '+1 (555) 123'],
    ['+15551234567', '+1 (555) 123-4567'],
    ['+1******4567', '+1 (***) ***-4567'],
    ['+1 ••• ••• 0102', '+1 ••• ••• 0102'],
  ])('%s is shown as %s', (stored, shown) => expect(formatPhone(stored)).toBe(shown));
});
