import { describe, expect, it } from 'vitest';
import { accessUser, invitedUser, NOTHING } from '@/testing/access-users';
import type { AccessUser } from './api/types';
import { editSchema, inviteSchema } from './schema';
import { managementActions, roleChoices, tabActions, type UserAction } from './users.utils';

const words = (actions: UserAction[]) =>
  actions.map((action) => (action.kind === 'role' ? `role ${action.role}` : action.kind));
const management = (user: AccessUser) => words(managementActions(user));
const tab = (user: AccessUser) => words(tabActions(user));
const everything = accessUser('a').can;

describe('the user management offers', () => {
  it.each([
    ['Intake', 'Active', ['edit', 'disable', 'role Admin', 'role Staff', 'remove']],
    ['Admin', 'Active', ['edit', 'disable', 'role Staff', 'role Intake', 'remove']],
    ['Staff', 'Disabled', ['edit', 'enable', 'role Admin', 'role Intake', 'remove']],
  ] as const)('someone who is %s and %s: %j', (role, membershipStatus, expected) =>
    expect(management(accessUser('a', { role, membershipStatus }))).toEqual(expected),
  );
  it('the invited only the invitation again and the removal, whatever else the server might say', () => {
    expect(management(invitedUser('a'))).toEqual(['resend', 'remove']);
    expect(management(invitedUser('a', { can: { ...everything, disable: false, resend: true } }))).toEqual([
      'resend',
      'remove',
    ]);
  });
  it('nothing on the own row, and nothing that the server would refuse', () => {
    expect(management(accessUser('a', { can: NOTHING }))).toEqual([]);
    expect(management(accessUser('a', { can: { ...everything, roles: ['Staff'], remove: false } }))).toEqual([
      'edit',
      'disable',
      'role Staff',
    ]);
  });
  it('no role of another scope', () => {
    expect(management(accessUser('a', { can: { ...NOTHING, roles: ['Owner', 'GlobalAdmin', 'Staff'] } }))).toEqual([
      'role Staff',
    ]);
  });
});

describe('the Users tab offers', () => {
  it('Edit and Remove to others, nothing on the own row', () => {
    expect(tab(accessUser('a'))).toEqual(['edit', 'remove']);
    expect(tab(accessUser('a', { can: NOTHING }))).toEqual([]);
  });
  it('Edit to the invited too: it says why not', () => expect(tab(invitedUser('a'))).toEqual(['edit', 'remove']));
});

describe('the edit form', () => {
  it('lets choose the roles that may be given, and keeps one that may not', () => {
    expect(roleChoices(accessUser('a'))).toEqual(['Admin', 'Staff', 'Intake']);
    expect(roleChoices(accessUser('a', { role: 'Owner', can: NOTHING }))).toEqual(['Owner']);
    expect(roleChoices(accessUser('a', { role: 'Admin', can: { ...NOTHING, roles: ['Staff'] } }))).toEqual([
      'Admin',
      'Staff',
    ]);
  });
  it('needs both names', () => {
    const fields = { email: 'a@b.example', role: 'Staff', receiveReservationTexts: true, isDisabled: false };
    const issues = editSchema.safeParse({ ...fields, firstName: ' ', lastName: '' }).error?.issues;
    expect(issues?.map(({ message }) => message)).toEqual([
      'users:edit.firstNameRequired',
      'users:edit.lastNameRequired',
    ]);
  });
});

it('the invitation needs an email and both names', () => {
  const fields = { role: 'Admin', receiveReservationTexts: true, language: 'en', firstName: '', lastName: ' ' };
  const messages = (email: string) =>
    inviteSchema.safeParse({ ...fields, email }).error?.issues.map(({ message }) => message);
  expect(messages(' ')).toEqual([
    'users:invite.emailRequired',
    'users:invite.firstNameRequired',
    'users:invite.lastNameRequired',
  ]);
  expect(messages('nobody')?.[0]).toBe('users:invite.emailInvalid');
});
