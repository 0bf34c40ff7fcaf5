import { expect, it } from 'vitest';
import { dateFormat } from './date-formats';

it('makes the format of a language and its options once', () => {
  const format = dateFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
  expect(dateFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })).toBe(format);
  expect(dateFormat('es', { dateStyle: 'medium', timeZone: 'UTC' })).not.toBe(format);
  expect(dateFormat('en', { dateStyle: 'medium', timeZone: 'America/New_York' })).not.toBe(format);
});
