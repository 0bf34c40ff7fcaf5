import type { AccessUser } from '@/features/users/api/types';

/** Someone who works at the site `s1` of the organization `o1`; the caller may do everything to this person. */
export function accessUser(id: string, fields: Partial<AccessUser> = {}): AccessUser {
  return {
    id,
    user: { id: `user-${id}`, email: `${id}@demo.example` },
    firstName: id.charAt(0).toUpperCase() + id.slice(1),
    lastName: 'Lane',
    role: 'Intake',
    membershipStatus: 'Active',
    receiveReservationTexts: true,
    organization: { id: 'o1', name: 'Harbor Light', isCommercial: true, logoPath: null, siteCount: 2 },
    siteId: 's1',
    siteName: 'Harbor House',
    createdAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    can: { edit: true, rename: true, remove: true, disable: true, resend: false, roles: ['Admin', 'Intake', 'Staff'] },
    ...fields,
  };
}

/** What nobody may do to the own row, and an admin not to an owner. */
export const NOTHING: AccessUser['can'] = {
  edit: false,
  rename: false,
  remove: false,
  disable: false,
  resend: false,
  roles: [],
};

/** Someone who has not opened the invitation yet. */
export function invitedUser(id: string, fields: Partial<AccessUser> = {}): AccessUser {
  return accessUser(id, {
    membershipStatus: 'PendingInvitation',
    can: { ...NOTHING, remove: true, resend: true },
    ...fields,
  });
}
