import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './return-path';

describe('a path to go back to stays inside this site', () => {
  it.each(['/organizations', '/reservations/1?tab=guests', '/', '/today?find=a/..//b%20c'])('%s is kept', (path) =>
    expect(safeReturnPath(path)).toBe(path),
  );
  it.each([
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/login',
    '/logout',
    '/error?message=x',
    '/two-factor-confirm',
    '/reset-password',
    '/confirm-email',
    '/undo-email-change',
    '/signup',
    '/signup-expired',
    '/Logout',
    '/%6cogout',
    '/l%6Fgout?x=1',
    '/%65rror?message=x',
    '/organizations/../logout',
    '/reservations/%2e%2e/login',
    '/\tlogout',
    '/\t/evil.example',
    '//[',
    'javascript:alert(1)',
  ])('%s is not', (path) => expect(safeReturnPath(path)).toBeUndefined());
});
