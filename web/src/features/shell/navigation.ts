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
    | 'users';
  path: string;
}

/** The sidebar of a user (spec A section 2), only screens that exist. */
export function navigationOf(user: CurrentUser): NavigationEntry[] {
  const lists: NavigationEntry[] = user.isGlobal
    ? [
        { key: 'nonCommercial', path: '/free-rehabs' },
        { key: 'commercial', path: '/paid-rehabs' },
        { key: 'dashboard', path: '/dashboard' },
        { key: 'insurers', path: '/insurances' },
        { key: 'auditLog', path: '/logs' },
      ]
    : [{ key: 'organizations', path: '/organizations' }];
  const entries: NavigationEntry[] = can(user, 'organization.view')
    ? [...lists, { key: 'reservations', path: '/reservations' }]
    : lists;
  return managesUsers(user) ? [...entries, { key: 'users', path: '/user-management' }] : entries;
}

/** Whether there may be a site whose users the person manages. */
function managesUsers(user: CurrentUser): boolean {
  return user.isGlobal || user.ownerOrganizationIds.size > 0 || user.adminSiteIds.size > 0;
}
