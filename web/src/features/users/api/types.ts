/** Roles as the API spells them. */
export type Role = 'GlobalAdmin' | 'Owner' | 'Admin' | 'Intake' | 'Staff';

/** A person's place at a site, in an organization or on the platform (spec A section 3). */
export interface AccessUser {
  id: string;
  user: { id: string; email: string };
  firstName: string;
  lastName: string;
  role: Role;
  membershipStatus: 'PendingInvitation' | 'Active' | 'Disabled';
  receiveReservationTexts: boolean;
  organization: {
    id: string;
    name: string;
    isCommercial: boolean;
    logoPath: string | null;
    siteCount: number;
  } | null;
  siteId: string | null;
  siteName: string | null;
  createdAt: string;
  can: { edit: boolean; remove: boolean; disable: boolean; resend: boolean; roles: Role[] };
}
