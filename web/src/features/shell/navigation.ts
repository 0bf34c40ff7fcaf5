import type { StaticDataRouteOption } from '@tanstack/react-router';
import { type Action, can } from '@/access/can';
import type { CurrentUser } from '@/access/user';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Who may open the screen, as far as it can be told from the address. Others go to the start page. */
    who?: Action;
  }
}

/** The screens that the sidebar leads to, in its order. Of an address, that without an id. */
export const ENTRIES = [
  'today',
  'list',
  'dashboard',
  'allInsurers',
  'auditLog',
  'reservations',
  'history',
  'managedSites',
  'cards',
  'billing',
] as const;
type Entry = (typeof ENTRIES)[number];

/** One link of the sidebar; `key` is its text and icon. */
export interface NavigationLink {
  key: Exclude<Entry, 'list'> | 'organizations' | 'nonCommercial' | 'commercial';
  path: string;
}

/** The lists of organizations, which are one route. */
const PLATFORM_LISTS: NavigationLink[] = [
  { key: 'nonCommercial', path: '/free-rehabs' },
  { key: 'commercial', path: '/paid-rehabs' },
];
const OWN_LISTS: NavigationLink[] = [{ key: 'organizations', path: '/organizations' }];

/** A route of the app, as its router knows it. */
export interface ScreenRoute {
  readonly fullPath: string;
  readonly options: { readonly staticData?: StaticDataRouteOption };
}

/**
 * The sidebar of a user (spec A section 2), from what the routes say of themselves. `organizationId` is the one in the
 * address: cards and bills are its own if the user owns it, else those of the first.
 */
export function navigationOf(
  user: CurrentUser,
  routes: readonly ScreenRoute[],
  organizationId?: string,
): NavigationLink[] {
  if (!can(user, 'organization.view')) return [];
  const isOwn = organizationId !== undefined && user.ownerOrganizationIds.has(organizationId);
  return orderOf(user).flatMap((key): NavigationLink[] => {
    if (key === 'list') return user.isGlobal ? PLATFORM_LISTS : OWN_LISTS;
    const route = entryRoute(routes, key);
    if (!route) return [];
    const { who } = route.options.staticData ?? {};
    if ((who && !can(user, who)) || (key === 'managedSites' && !managesUsers(user))) return [];
    const path = route.fullPath.replace(/\/$/, '');
    return [{ key, path: (key === 'cards' || key === 'billing') && isOwn ? `${path}/${organizationId}` : path }];
  });
}

/** The route that the sidebar opens for a screen. */
export function entryRoute(routes: readonly ScreenRoute[], entry: Entry): ScreenRoute | undefined {
  return routes.find(({ fullPath, options }) => options.staticData?.screen === entry && !fullPath.includes('$'));
}

/** For owners, the log of their organizations follows the people there; for global admins, it is that of the platform. */
function orderOf(user: CurrentUser): readonly Entry[] {
  if (user.isGlobal) return ENTRIES;
  return ENTRIES.flatMap((entry) =>
    entry === 'auditLog' ? [] : entry === 'managedSites' ? [entry, 'auditLog' as const] : [entry],
  );
}

/** Whether there may be a site whose users the person manages. */
function managesUsers(user: CurrentUser): boolean {
  return user.isGlobal || user.ownerOrganizationIds.size > 0 || user.adminSiteIds.size > 0;
}
