import { describe, expect, it } from 'vitest';
import { formatPhone, isPhone, toStoredPhone } from './phone';

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
    expect(isPhone('+15551234567')).toBe(true);
    expect(isPhone('+1555123456')).toBe(false);
    expect(isPhone('+155512345678')).toBe(false);
    expect(isPhone('5551234567')).toBe(false);
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
