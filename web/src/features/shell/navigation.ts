import { can } from '@/access/can';
import type { CurrentUser } from '@/access/user';

/** One entry of the sidebar; `key` is its text and icon. */
export interface NavigationEntry {
  key: 'organizations' | 'nonCommercial' | 'commercial' | 'reservations';
  path: string;
}

/** The sidebar of a user (spec A section 2), only screens that exist. */
export function navigationOf(user: CurrentUser): NavigationEntry[] {
  const lists: NavigationEntry[] = user.isGlobal
    ? [
        { key: 'nonCommercial', path: '/free-rehabs' },
        { key: 'commercial', path: '/paid-rehabs' },
      ]
    : [{ key: 'organizations', path: '/organizations' }];
  return can(user, 'organization.view') ? [...lists, { key: 'reservations', path: '/reservations' }] : lists;
}
