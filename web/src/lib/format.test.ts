import { expect, it } from 'vitest';
import { formatCountdown, formatList, formatNumber } from './format';

it('writes a countdown as minutes and seconds', () => {
  expect(formatCountdown(65)).toBe('1:05');
  expect(formatCountdown(0.4)).toBe('0:01');
  expect(formatCountdown(-3)).toBe('0:00');
});

it('joins lists and numbers as the language does', () => {
  expect(formatList(['A', 'B', 'C'], 'en')).toBe('A, B, and C');
  expect(formatList(['A', 'B'], 'es')).toBe('A y B');
  expect(formatNumber(12_345, 'en')).toBe('12,345');
});
