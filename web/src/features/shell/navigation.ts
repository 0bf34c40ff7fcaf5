import { can } from '@/access/can';
import type { CurrentUser } from '@/access/user';

/** One entry of the sidebar; `key` is its text and icon. */
export interface NavigationEntry {
  key:
    | 'organizations'
    | 'nonCommercial'
    | 'commercial'
    | 'dashboard'
    | 'insurers'
    | 'auditLog'
    | 'reservations'
    | 'history'
    | 'users'
    | 'cards'
    | 'billing';
  path: string;
}

/**
 * The sidebar of a user (spec A section 2), only screens that exist. `organizationId` is the one in the address: cards and
 * bills are its own if the user owns it, else those of the first.
 */
export function navigationOf(user: CurrentUser, organizationId?: string): NavigationEntry[] {
  if (!can(user, 'organization.view')) return [];
  const lists: NavigationEntry[] = user.isGlobal
    ? [
        { key: 'nonCommercial', path: '/free-rehabs' },
        { key: 'commercial', path: '/paid-rehabs' },
        { key: 'dashboard', path: '/dashboard' },
        { key: 'insurers', path: '/insurances' },
        { key: 'auditLog', path: '/logs' },
      ]
    : [{ key: 'organizations', path: '/organizations' }];
  const entries: NavigationEntry[] = [
    ...lists,
    { key: 'reservations', path: '/reservations' },
    { key: 'history', path: '/history' },
  ];
  if (managesUsers(user)) entries.push({ key: 'users', path: '/user-management' });
  if (!user.isGlobal && can(user, 'auditLog.open')) entries.push({ key: 'auditLog', path: '/logs' });
  if (can(user, 'billing.sidebar')) {
    const isOwn = organizationId !== undefined && user.ownerOrganizationIds.has(organizationId);
    entries.push(
      { key: 'cards', path: isOwn ? `/cards/${organizationId}` : '/cards' },
      { key: 'billing', path: isOwn ? `/payment-details/${organizationId}` : '/payment-details' },
    );
  }
  return entries;
}

/** Whether there may be a site whose users the person manages. */
function managesUsers(user: CurrentUser): boolean {
  return user.isGlobal || user.ownerOrganizationIds.size > 0 || user.adminSiteIds.size > 0;
}
