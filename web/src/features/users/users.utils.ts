import type { AccessUser, Role } from './api/types';

/** The roles that may be given at a site, in the order of the spec. */
export const SITE_ROLES = ['Admin', 'Staff', 'Intake'] as const;

/** One of them. */
export type SiteRole = (typeof SITE_ROLES)[number];

/** Something that can be done to a row of a table of users. */
export type UserAction =
  | { kind: 'edit' | 'enable' | 'disable' | 'resend' | 'remove' }
  | { kind: 'role'; role: SiteRole };

/** What is open over a table of users. */
export type UsersDialog =
  | { kind: 'invite' }
  | { kind: 'edit'; user: AccessUser }
  | { kind: 'cannot-edit'; user: AccessUser }
  | { kind: 'remove'; user: AccessUser };

/** Whether the person has not taken the invitation yet. */
export function isInvited(user: AccessUser): boolean {
  return user.membershipStatus === 'PendingInvitation';
}

/**
 * What the user management offers for a row (spec A section 2): edit, enable or disable, the other roles, the
 * invitation again, delete. The server has judged each of them (`can`); nothing is offered that it would refuse.
 */
export function managementActions(user: AccessUser): UserAction[] {
  const { can } = user;
  const roles = isInvited(user) ? [] : otherRoles(user);
  return [
    ...only(can.edit && !isInvited(user), { kind: 'edit' }),
    ...only(can.disable, { kind: user.membershipStatus === 'Disabled' ? 'enable' : 'disable' }),
    ...roles.map((role): UserAction => ({ kind: 'role', role })),
    ...only(can.resend, { kind: 'resend' }),
    ...only(can.remove, { kind: 'remove' }),
  ];
}

/** What the Users tab offers for a row: Edit and Remove. Edit of an invited person is offered, and explains itself. */
export function tabActions(user: AccessUser): UserAction[] {
  const { can } = user;
  return [
    ...only(can.edit || (isInvited(user) && can.remove), { kind: 'edit' }),
    ...only(can.remove, { kind: 'remove' }),
  ];
}

/** The roles of a site that the caller may give this person now; the present one is left out. */
export function otherRoles(user: AccessUser): SiteRole[] {
  return SITE_ROLES.filter((role) => role !== user.role && user.can.roles.includes(role));
}

/** The choices of the role field: what may be given, and always the present one. */
export function roleChoices(user: AccessUser): Role[] {
  return [...SITE_ROLES.filter((role) => role === user.role || user.can.roles.includes(role)), user.role].filter(
    (role, index, all) => all.indexOf(role) === index,
  );
}

function only(isOffered: boolean, action: UserAction): UserAction[] {
  return isOffered ? [action] : [];
}
