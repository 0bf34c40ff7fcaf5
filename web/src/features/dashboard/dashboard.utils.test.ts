import { describe, expect, it } from 'vitest';
import { dashboardSearch } from './dashboard-search';
import {
  type DashboardRole,
  type DashboardUser,
  fileAddressOf,
  groupsOf,
  listQuery,
  listSearch,
  plainAddress,
  rolesOf,
  summaryOf,
  tableState,
} from './dashboard.utils';

const place = (fields: Partial<DashboardRole>): DashboardRole => ({
  id: 'o1',
  isCommercial: true,
  logoPath: null,
  name: 'Harbor Light',
  siteCount: 2,
  siteId: 's1',
  siteName: 'Harbor House',
  userRole: 'Staff',
  ...fields,
});
const user = (organizations: DashboardRole[], roles = 'Staff'): DashboardUser => ({
  id: 'u1',
  email: 'ana@demo.example',
  firstName: 'Ana',
  lastName: 'Lane',
  roles,
  membershipStatus: 'Active',
  organizations,
});
const nowhere = { id: null, name: null, isCommercial: null, siteCount: null, siteId: null, siteName: null };

describe('the address', () => {
  it('falls back where it is wrong', () => {
    const first = dashboardSearch.parse({});
    expect(first).toEqual({ tab: 'users', field: 'firstName', page: 0, direction: 'asc' });
    const wrong = dashboardSearch.parse({ tab: 'rooms', field: 'age', search: 'x'.repeat(101), open: 'no', size: 7 });
    expect(wrong).toMatchObject({ tab: 'users', field: 'firstName' });
    expect(wrong.size).toBeUndefined();
    expect(wrong.search).toBeUndefined();
    expect(wrong.open).toBeUndefined();
    expect(dashboardSearch.parse({ search: 714 }).search, 'a text that looks like a number').toBe('714');
  });

  it('says what to ask for, by the first column of each list until another is chosen', () => {
    const look = { size: 25, dense: false, hidden: [] } as const;
    const search = { ...dashboardSearch.parse({ search: '  free ', field: 'email', page: 2 }), size: look.size };
    expect(listSearch('users', search, undefined)).toMatchObject({ sort: 'lastName', field: 'email', search: 'free' });
    expect(listSearch('sites', search, 'commercial')).not.toHaveProperty('field');
    expect(tableState('organizations', search, look)).toMatchObject({ sort: 'organizationName', page: 2, size: 25 });
    expect(listQuery(listSearch('users', search, undefined))).toEqual({
      sort: 'lastName',
      direction: 'asc',
      search: 'free',
      field: 'email',
      page: 3,
      pageSize: 25,
    });
    expect(
      fileAddressOf('sites', listSearch('sites', { ...search, sort: 'rooms', direction: 'desc' }, 'nonCommercial')),
    ).toBe('/api/Dashboard/sites.csv?sort=rooms&direction=desc&search=free&SiteType=nonCommercial');
    expect(fileAddressOf('users', listSearch('users', { ...search, search: undefined }, undefined))).toBe(
      '/api/Dashboard/users.csv?sort=lastName&direction=asc',
    );
  });
});

describe('the details of a user', () => {
  it('stand by role, the highest first', () => {
    const groups = groupsOf(
      user([
        place({}),
        place({ userRole: 'Admin', siteId: 's2', siteName: 'Pier' }),
        place({ ...nowhere, userRole: 'GlobalAdmin' }),
        place({ userRole: 'Owner', siteId: null, siteName: null }),
      ]),
    );
    expect(groups.map(({ role }) => role)).toEqual(['GlobalAdmin', 'Owner', 'Admin', 'Staff']);
  });

  it('leave out what has no organization, no name or, for a role at a site, no site', () => {
    expect(groupsOf(user([place({ id: null }), place({ name: null }), place({ siteId: null })]))).toEqual([]);
    expect(groupsOf(user([place({ userRole: 'Owner', name: '' })]))).toEqual([]);
  });

  it('know the roles of the row', () => {
    expect(rolesOf(user([], 'Owner,Staff'))).toEqual(['Owner', 'Staff']);
    expect(rolesOf(user([], ''))).toEqual([]);
  });
});

it('an address is short', () => {
  expect(['https://www.two.example/', 'http://a.example/b'].map(plainAddress)).toEqual(['two.example', 'a.example/b']);
});

describe('occupancy', () => {
  const days = [
    { date: '2026-03-01', beds: 0, occupied: 0 },
    { date: '2026-03-02', beds: 10, occupied: 5 },
    { date: '2026-03-03', beds: 10, occupied: 2 },
  ];

  it('is summed up without the days that had no beds', () => {
    expect(summaryOf(days)).toEqual({
      average: 0.35,
      lowest: { date: '2026-03-03', share: 0.2 },
      highest: { date: '2026-03-02', share: 0.5 },
    });
    expect(summaryOf(days.slice(0, 1))).toEqual({ average: null, lowest: null, highest: null });
    expect(summaryOf([])).toEqual({ average: null, lowest: null, highest: null });
  });
});
