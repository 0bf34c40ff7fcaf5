import { expect, it } from 'vitest';
import { digits, recoveryCode } from './code-method';
import { recoverySchema } from './code.schema';

it('a pasted code counts whatever stands around it', () => {
  expect(digits('Your code: 123 456.')).toBe('123456');
  expect(digits('1234567')).toBe('123456');
});

it.each([
  ['', ''],
  ['AB', 'ab'],
  ['abcd-', 'abcd'],
  ['abcde', 'abcd-e'],
  ['ABCD EFGH 1234', 'abcd-efgh-1234'],
  ['abcdefgh1234tooLong', 'abcd-efgh-1234'],
])('the recovery code %j is %j', (typed, shown) => expect(recoveryCode(typed)).toBe(shown));

it('a recovery code has three groups of four', () => {
  expect(recoverySchema.safeParse({ code: 'abcd-efgh-1234' }).success).toBe(true);
  expect(recoverySchema.safeParse({ code: 'abcd-efgh' }).error?.issues[0]?.message).toBe('confirm.invalid');
  expect(recoverySchema.safeParse({ code: '' }).error?.issues[0]?.message).toBe('confirm.recoveryRequired');
});
