import { describe, expect, it } from 'vitest';
import { brandName, isExpired, parseExpiry } from './card.utils';

describe('the expiration date of a card', () => {
  it.each([
    ['4/30', { month: 4, year: 2030 }],
    ['12/26', { month: 12, year: 2026 }],
    ['04/30', { month: 4, year: 2030 }],
  ])('%s is a month and a year', (text, expiry) => expect(parseExpiry(text)).toEqual(expiry));

  it.each(['', '4', '0/30', '13/30', '4/2030', '4-30', 'April/30', '4/3'])('%s is none', (text) =>
    expect(parseExpiry(text)).toBeUndefined(),
  );

  it('is over when its month is', () => {
    const march = new Date(2026, 2, 31);
    expect(isExpired({ month: 3, year: 2026 }, march)).toBe(false);
    expect(isExpired({ month: 2, year: 2026 }, march)).toBe(true);
    expect(isExpired({ month: 12, year: 2025 }, march)).toBe(true);
    expect(isExpired({ month: 1, year: 2027 }, march)).toBe(false);
  });
});

it('brands are written as they write themselves', () => {
  expect(['visa', 'mastercard', 'amex', 'elo'].map(brandName)).toEqual([
    'Visa',
    'Mastercard',
    'American Express',
    'Elo',
  ]);
});
