import { describe, expect, it } from 'vitest';
import { brokenRule, keepsRule, PASSWORD_RULES } from './password-rules.utils';
import { newPasswordSchema } from './ui/new-password.schema';

const messages = (fields: { password: string; confirmation: string }) =>
  Object.fromEntries(
    (newPasswordSchema.safeParse(fields).error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]),
  );

describe('a new password keeps every rule of the spec', () => {
  it.each([
    ['minimum', 'Open-Door-2'],
    ['maximum', `Aa1-${'xy'.repeat(63)}`],
    ['uppercase', 'open-door-2026'],
    ['lowercase', 'OPEN-DOOR-2026'],
    ['digit', 'Open-Door-Open'],
    ['special', 'OpenDoor2026x'],
    ['repeated', 'Open-Dooor-2026'],
    ['phrase', 'My-Password-2026'],
    ['phrase', 'Door-123456-Open'],
    ['phrase', 'Door-QWERTY-open1'],
    ['phrase', 'Door-LetMeIn-open1'],
    ['phrase', 'Welcome-Door-1'],
    ['phrase', 'Admin-Door-2026'],
  ])('%s is told for %s', (rule, password) => {
    expect(brokenRule(password)).toBe(rule);
    expect(messages({ password, confirmation: password })).toEqual({ password: `password.rule.${rule}` });
  });

  it('a space is a special character, and letters of other scripts are letters', () => {
    expect(brokenRule('Open Door 2026')).toBeUndefined();
    expect(keepsRule('Größe', 'special')).toBe(false);
  });

  it('an empty one keeps none and is required', () => {
    expect(PASSWORD_RULES.some((rule) => keepsRule('', rule))).toBe(false);
    expect(messages({ password: '', confirmation: '' })).toEqual({
      password: 'password.rule.required',
      confirmation: 'password.rule.confirmRequired',
    });
  });

  it('must be confirmed by the same text, also while it is still wrong', () => {
    expect(messages({ password: 'Open-Door-2026', confirmation: 'Open-Door-2025' })).toEqual({
      confirmation: 'password.rule.match',
    });
    expect(messages({ password: 'short', confirmation: 'other' })).toEqual({
      password: 'password.rule.minimum',
      confirmation: 'password.rule.match',
    });
    expect(messages({ password: 'Open-Door-2026', confirmation: 'Open-Door-2026' })).toEqual({});
  });
});
