import type { Schemas } from '@/api/client';
import type { TableLook, TableSearch, TableState } from '@/components/data-table/data-table.types';
import type { DASHBOARD_TABS, USER_FIELDS } from './dashboard-search';

export type DashboardUser = Schemas['DashboardUser'];
export type DashboardRole = Schemas['DashboardRole'];
export type DashboardSite = Schemas['DashboardSite'];
export type OccupancyDay = Schemas['OccupancyDay'];
export type Role = DashboardRole['userRole'];

export type DashboardTab = (typeof DASHBOARD_TABS)[number];
export type UserField = (typeof USER_FIELDS)[number];

/** Which organizations the dashboard is about. */
export type Kind = 'commercial' | 'nonCommercial' | undefined;

/** The column a list is sorted by until another is chosen. */
const FIRST_SORT = { users: 'lastName', organizations: 'organizationName', sites: 'name' } as const;

/** What the address remembers of the dashboard. */
export interface DashboardSearch extends TableSearch {
  tab: DashboardTab;
  /** Where users are searched. */
  field: UserField;
  /** What is searched for. */
  search?: string;
  /** Id of the row whose details are open. */
  open?: string;
}

/** What is asked of the server for one page of a list. */
export interface ListSearch {
  page: number;
  size: number;
  sort: string;
  direction: 'asc' | 'desc';
  search: string;
  field?: UserField;
  kind: Kind;
}

/** The page of a list that the address asks for. */
export function listSearch(
  tab: DashboardTab,
  search: DashboardSearch & Pick<TableLook, 'size'>,
  kind: Kind,
): ListSearch {
  return {
    page: search.page,
    size: search.size,
    sort: search.sort ?? FIRST_SORT[tab],
    direction: search.direction,
    search: search.search?.trim() ?? '',
    ...(tab === 'users' ? { field: search.field } : {}),
    kind,
  };
}

/** The table as it is shown: with the sort it has when the address names none. */
export function tableState(tab: DashboardTab, { page, sort, direction }: DashboardSearch, look: TableLook): TableState {
  return { page, direction, ...look, sort: sort ?? FIRST_SORT[tab] };
}

/** Everything of a list but the page. */
function filterQuery({ sort, direction, search, field, kind }: Omit<ListSearch, 'page' | 'size'>) {
  return {
    sort,
    direction,
    ...(search === '' ? {} : { search }),
    ...(field === undefined || search === '' ? {} : { field }),
    ...(kind === undefined ? {} : { SiteType: kind }),
  };
}

/** The query of a list call; the server counts pages from 1. */
export function listQuery(search: ListSearch) {
  return { ...filterQuery(search), page: search.page + 1, pageSize: search.size };
}

/** The address of a list as a file: the whole list as it is found and sorted now. */
export function fileAddressOf(tab: DashboardTab, search: ListSearch): string {
  return `/api/Dashboard/${tab}.csv?${new URLSearchParams(filterQuery(search)).toString()}`;
}

/** Order of the groups in the details of a user. Admins are missing in the spec's list; see docs/decisions. */
const GROUPS: readonly Role[] = ['GlobalAdmin', 'Owner', 'Admin', 'Intake', 'Staff'];

/**
 * The places of a user by role. A role at a site needs organization, site and name; an owner belongs to the organization
 * and has no site; what is incomplete is left out (spec A section 2).
 */
export function groupsOf(user: DashboardUser): { role: Role; places: DashboardRole[] }[] {
  const isWhole = (place: DashboardRole) => {
    if (place.userRole === 'GlobalAdmin') return true;
    if (!place.id || !place.name) return false;
    return place.userRole === 'Owner' || Boolean(place.siteId && place.siteName);
  };
  return GROUPS.map((role) => ({
    role,
    places: user.organizations.filter((place) => place.userRole === role && isWhole(place)),
  })).filter(({ places }) => places.length > 0);
}

/** The roles of a row, in its order. */
export function rolesOf(user: DashboardUser): Role[] {
  return user.roles.split(',').filter((role): role is Role => GROUPS.some((known) => known === role));
}

/** An address as people say it: without the protocol and the last stroke. */
export function plainAddress(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}

/** What a stretch of days says in one sentence. */
export interface OccupancySummary {
  /** Share of the beds with a guest over all days, 0 to 1; null where there were no beds. */
  average: number | null;
  lowest: { date: string; share: number } | null;
  highest: { date: string; share: number } | null;
}

/** Average, lowest and highest share of occupied beds. Days without beds say nothing. */
export function summaryOf(days: readonly OccupancyDay[]): OccupancySummary {
  const shares = days
    .filter(({ beds }) => beds > 0)
    .map(({ date, beds, occupied }) => ({ date, share: occupied / beds }));
  if (shares.length === 0) return { average: null, lowest: null, highest: null };
  const beds = days.reduce((sum, day) => sum + day.beds, 0);
  const occupied = days.reduce((sum, day) => sum + (day.beds > 0 ? day.occupied : 0), 0);
  return {
    average: occupied / beds,
    lowest: shares.reduce((least, one) => (one.share < least.share ? one : least)),
    highest: shares.reduce((most, one) => (one.share > most.share ? one : most)),
  };
}
