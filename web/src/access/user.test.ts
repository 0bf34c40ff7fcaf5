import { describe, expect, it } from 'vitest';
import { currentUser } from '@/testing/builders';
import { nextSignInStep } from './user';
import { homePath } from './home-path';

describe('the user info of the server', () => {
  it('has its comma lists taken apart, blanks and empty entries dropped', () => {
    const user = currentUser({ role_admin_site_ids: 'a, b,,', role_staff_site_ids: '' });
    expect([...user.adminSiteIds]).toEqual(['a', 'b']);
    expect(user.staffSiteIds.size).toBe(0);
  });
});

describe('the sign-in goes on', () => {
  it.each([
    ['with the first password', { stage: 'first_step', has_password: false }, '/create-password'],
    ['with a phone', { stage: 'first_step', has_phone_number: false }, '/two-factor-setup'],
    ['with a code', { stage: 'first_step' }, '/two-factor-confirm'],
    [
      'with a code also without a password when signed in elsewhere',
      { stage: 'first_step', has_password: false, has_external_login: true },
      '/two-factor-confirm',
    ],
    ['at home', { stage: 'full' }, '/'],
  ] as const)('%s', (_name, info, path) => expect(nextSignInStep(currentUser(info))).toBe(path));
});

it('home is the free list for a global admin and the organizations for others', () => {
  expect(homePath(currentUser({ role_global: true }))).toBe('/free-rehabs');
  expect(homePath(currentUser())).toBe('/organizations');
  expect(homePath(currentUser({ views: { 'setting.start-today': 'on' } }))).toBe('/today');
  expect(homePath(currentUser({ views: { 'setting.start-today': '' } }))).toBe('/organizations');
});
