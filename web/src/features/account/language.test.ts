import { expect, it } from 'vitest';
import { settleLanguage } from './language.utils';

it.each([
  ['es', 'en', { mails: 'es' }],
  ['en', 'es', { mails: 'en' }],
  ['es', 'es', {}],
  [undefined, 'es', { page: 'es' }],
  [undefined, 'en', {}],
] as const)('chosen here %s, of the account %s: %j', (here, account, expected) =>
  expect(settleLanguage(here, account)).toEqual(expected),
);
