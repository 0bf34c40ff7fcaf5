import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { OccupancyPanel } from './components/occupancy-panel';
import { OrganizationsTable } from './components/organizations-table';
import { SitesTable } from './components/sites-table';
import { UsersTable } from './components/users-table';
import { dashboardSearch } from './dashboard-search';
import type { DashboardSearch, DashboardTab, DashboardUser } from './dashboard.utils';

afterEach(async () => {
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const LISTS = { users: UsersTable, organizations: OrganizationsTable, sites: SitesTable };
const me = currentUser({ role_global: true });
const uuid = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Answers a list call with a page of `rows`, as the server would, and remembers what was asked. */
function serveList(tab: DashboardTab, rows: readonly object[], totals: object = {}) {
  const asked: string[] = [];
  serve(
    http.get(`/api/Dashboard/${tab}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      const size = Number(query.get('pageSize'));
      const number = Number(query.get('page'));
      const found = query.get('search') === 'nobody' ? [] : rows;
      return HttpResponse.json({
        items: found.slice((number - 1) * size, number * size),
        totalCount: found.length,
        totalPages: Math.ceil(found.length / size),
        totals,
      });
    }),
  );
  return asked;
}

async function open(tab: DashboardTab, search: Partial<DashboardSearch> = {}) {
  const List = LISTS[tab];
  function View() {
    const [state, setState] = useState<DashboardSearch>({
      ...dashboardSearch.parse({ tab }),
      ...search,
    });
    return (
      <List search={state} kind={undefined} onChange={(changes) => setState((before) => ({ ...before, ...changes }))} />
    );
  }
  return renderView(<View />, { user: me });
}

const user = (number: number, fields: Partial<DashboardUser> = {}): DashboardUser => ({
  id: uuid(number),
  email: `user${number}@demo.example`,
  firstName: `First ${number}`,
  lastName: `Last ${number}`,
  roles: 'Admin,Staff',
  membershipStatus: 'Active',
  organizations: [],
  ...fields,
});
const place = (userRole: DashboardUser['organizations'][number]['userRole'], number: number) => ({
  id: uuid(100 + number),
  isCommercial: number % 2 === 0,
  logoPath: null,
  name: `Organization ${number}`,
  siteCount: 1,
  siteId: uuid(200 + number),
  siteName: `Site ${number}`,
  userRole,
});
const USERS = [
  user(1, {
    organizations: [
      place('Staff', 1),
      place('Admin', 2),
      { ...place('Owner', 3), siteId: null, siteName: null },
      { ...place('Intake', 4), siteId: null },
    ],
  }),
  user(2, { membershipStatus: 'PendingInvitation', roles: 'Owner' }),
  user(3, { membershipStatus: 'Disabled', roles: 'GlobalAdmin' }),
  ...[4, 5, 6, 7].map((number) => user(number)),
];

const days: Schemas['OccupancyDay'][] = Array.from({ length: 30 }, (_, index) => ({
  date: `2026-03-${String(index + 1).padStart(2, '0')}`,
  beds: 20,
  occupied: 5 + (index % 10),
}));
const serveOccupancy = () => {
  const asked: string[] = [];
  serve(
    http.get('/api/Dashboard/occupancy', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ days });
    }),
  );
  return asked;
};

describe('the users', () => {
  it('have their columns, come by last name, and are sorted, paged and searched by the server', async () => {
    const asked = serveList('users', USERS, { users: 7 });
    const screen = await open('users');
    await expect
      .poll(() =>
        screen
          .getByRole('columnheader')
          .elements()
          .map((heading) => heading.textContent?.trim()),
      )
      .toEqual(['First Name', 'Last Name', 'Email', 'Role', 'Status', 'Details']);
    await expect
      .element(screen.getByRole('columnheader', { name: 'Last Name' }))
      .toHaveAttribute('aria-sort', 'ascending');
    expect(asked.at(-1)).toBe('sort=lastName&direction=asc&page=1&pageSize=5');
    await expect.element(screen.getByText('Admin, Staff').first()).toBeVisible();
    await expect.element(screen.getByText('Invited')).toBeVisible();
    await expectNoViolations();

    await screen.getByRole('button', { name: 'Next page' }).click();
    await expect.element(screen.getByText('6–7 of 7')).toBeVisible();
    await screen.getByRole('button', { name: 'Email' }).click();
    await screen.getByRole('button', { name: 'Email' }).click();
    await expect.poll(() => asked.at(-1)).toBe('sort=email&direction=desc&page=1&pageSize=5');
    await screen.getByRole('button', { name: 'Next page' }).click();
    await screen.getByLabelText('Search by').selectOptions('Role');
    await screen.getByPlaceholder('Enter search text').fill('own');
    await expect.poll(() => asked.at(-1)).toBe('sort=email&direction=desc&search=own&field=role&page=1&pageSize=5');
    await screen.getByLabelText('Rows per page').selectOptions('25');
    await expect.poll(() => asked.at(-1)).toContain('pageSize=25');
    await expect
      .element(screen.getByRole('link', { name: 'Users as a CSV file' }))
      .toHaveAttribute('href', '/api/Dashboard/users.csv?sort=email&direction=desc&search=own&field=role');
  });

  it('are selected over pages, and the selection can be cleared', async () => {
    serveList('users', USERS);
    const screen = await open('users');
    await screen.getByLabelText('Select all on this page').click();
    await screen.getByRole('button', { name: 'Next page' }).click();
    await screen.getByLabelText('Select user6@demo.example').click();
    const clear = screen.getByRole('button', { name: '6 selected, clear the selection' });
    await expect.element(clear).toBeVisible();
    await expectNoViolations();
    await clear.click();
    await expect.element(clear).not.toBeInTheDocument();
    await expect.element(screen.getByLabelText('Select user6@demo.example')).not.toBeChecked();
  });

  it('are selected on this page alone: the server hears nothing of it, and a page opened anew begins without', async () => {
    const asked = serveList('users', USERS);
    const screen = await open('users');
    await screen.getByLabelText('Select user1@demo.example').click();
    await expect.element(screen.getByRole('button', { name: '1 selected, clear the selection' })).toBeVisible();
    expect(asked).toEqual(['sort=lastName&direction=asc&page=1&pageSize=5']);
    await screen.unmount();
    const again = await open('users');
    await expect.element(again.getByLabelText('Select user1@demo.example')).not.toBeChecked();
    await expect.element(again.getByRole('button', { name: /selected, clear/ })).not.toBeInTheDocument();
  });

  it('open with their places by role, 600 px wide; what is incomplete is left out', async () => {
    serveList('users', USERS);
    const screen = await open('users');
    await screen.getByRole('button', { name: 'Details of user1@demo.example' }).click();
    const dialog = screen.getByRole('dialog', { name: 'User Details' });
    await expect.element(dialog.getByText('First 1 Last 1')).toBeVisible();
    await expect.poll(() => dialog.element().getBoundingClientRect().width).toBe(600);
    await expect.element(dialog.getByText('user1@demo.example')).toBeVisible();
    expect(
      dialog
        .getByRole('heading', { level: 3 })
        .elements()
        .map((heading) => heading.textContent),
    ).toEqual(['Owner', 'Admin', 'Staff']);
    const view = dialog.getByRole('link', { name: 'View Site Site 1 in a new tab' });
    await expect.element(view).toHaveAttribute('href', `/free-rehabs/${uuid(101)}/${uuid(201)}`);
    await expect.element(view).toHaveAttribute('target', '_blank');
    // Two places, and the email.
    expect(dialog.getByRole('link').elements()).toHaveLength(3);
    await expectNoViolations();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it('open by the address although the row is on another page', async () => {
    serveList('users', USERS);
    serve(http.get('/api/Dashboard/users/:id', ({ params }) => HttpResponse.json({ ...user(7), id: params.id })));
    const screen = await open('users', { open: uuid(7) });
    await expect.element(screen.getByRole('dialog').getByText('user7@demo.example')).toBeVisible();
    expect(screen.getByRole('table').getByText('user7@demo.example').elements()).toHaveLength(0);
  });

  it('say that the one the address opens is not there', async () => {
    serveList('users', USERS);
    serve(http.get('/api/Dashboard/users/:id', () => problem(404, 'This was not found.')));
    const screen = await open('users', { open: uuid(70) });
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('This does not exist, or you do not have access to it.');
    expect(screen.getByRole('dialog').elements()).toHaveLength(0);
  });

  it('say that nobody fits, and that they could not be loaded', async () => {
    serveList('users', USERS);
    const screen = await open('users', { search: 'nobody' });
    await expect.element(screen.getByText('No records available in users')).toBeVisible();
    await expect.element(screen.getByText(/Nothing matches your search/)).toBeVisible();
    await expectNoViolations();
  });

  it.each(['organizations', 'sites'] as const)(
    'a search of %s without hits does not say that there are none yet',
    async (tab) => {
      serveList(tab, []);
      serveOccupancy();
      const screen = await open(tab, { search: 'nobody' });
      await expect.element(screen.getByText('Nothing found')).toBeVisible();
      await expect.element(screen.getByText(/Nothing matches your search/)).toBeVisible();
      expect(screen.getByText(/ yet$/).elements()).toHaveLength(0);
    },
  );

  it('come again after a failure', async () => {
    serve(http.get('/api/Dashboard/users', () => problem(503, 'Busy.')));
    const screen = await open('users');
    await expect.element(screen.getByText('Failed to load')).toBeVisible();
    serveList('users', USERS);
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('user1@demo.example')).toBeVisible();
  });

  it('show the last page in place of one that does not exist', async () => {
    serveList('users', USERS);
    const screen = await open('users', { page: 40 });
    await expect.element(screen.getByText('user7@demo.example')).toBeVisible();
  });

  it('are cards on a phone, in the dark too', async () => {
    await page.viewport(390, 844);
    writePreference('colorScheme', 'dark');
    serveList('users', USERS);
    const screen = await open('users');
    await expect.element(screen.getByRole('button', { name: 'Details of user2@demo.example' })).toBeVisible();
    await expectNoViolations();
  });
});

describe('the organizations', () => {
  const rows = [
    { id: uuid(1), organizationName: 'Harbor Light', siteCount: 2, isCommercial: true },
    { id: uuid(2), organizationName: 'Open Hands', siteCount: 0, isCommercial: false },
  ];
  const details: Schemas['DashboardOrganizationDetails'] = {
    id: uuid(1),
    name: 'Harbor Light',
    logoPath: null,
    isCommercial: true,
    isDisabled: true,
    createdAt: '2026-03-02T18:00:00.000Z',
    owners: [
      { id: uuid(5), email: 'olga@demo.example', firstName: 'Olga', lastName: 'Lane', membershipStatus: 'Active' },
      { id: uuid(6), email: 'new@demo.example', firstName: '', lastName: '', membershipStatus: 'PendingInvitation' },
    ],
    siteCount: 1,
    sites: [
      {
        id: uuid(7),
        name: 'Harbor House',
        isDisabled: true,
        countOfBeds: 12,
        countOfVacantBeds: 4,
        countOfAvailableBeds: 2,
        countOfPending: 2,
        subscription: { status: 'past_due', isActive: false, paidPeriodEnd: null },
      },
    ],
  };

  it('have their columns and open with owners and sites', async () => {
    serveList('organizations', rows);
    serve(http.get('/api/Dashboard/organizations/:id', () => HttpResponse.json(details)));
    const screen = await open('organizations');
    await expect
      .poll(() =>
        screen
          .getByRole('columnheader')
          .elements()
          .map((heading) => heading.textContent?.trim()),
      )
      .toEqual(['Organization Name', 'Site Count', 'Commercial', 'Details']);
    await expect.element(screen.getByRole('cell', { name: 'Yes' })).toBeVisible();
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Details of Harbor Light' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Organization Details' });
    await expect.element(dialog.getByText('Olga Lane')).toBeVisible();
    for (const text of ['Hidden from search', 'Created on Mar 2, 2026', 'Past due', 'Invited']) {
      await expect.element(dialog.getByText(text).first()).toBeVisible();
    }
    const cells = dialog.getByRole('row').filter({ hasText: 'Harbor House' }).getByRole('cell').elements();
    expect(cells.slice(1, 5).map(({ textContent }) => textContent)).toEqual(['2', '12', '4', '2']);
    await expect
      .element(dialog.getByRole('link', { name: 'Open organization' }))
      .toHaveAttribute('href', `/paid-rehabs/${uuid(1)}`);
    await expectNoViolations();
  });

  it('without sites say so', async () => {
    serveList('organizations', rows);
    serve(http.get('/api/Dashboard/organizations/:id', () => HttpResponse.json({ ...details, sites: [] })));
    const screen = await open('organizations', { open: uuid(1) });
    await expect
      .element(screen.getByRole('dialog').getByText('No sites found for this organization.', { exact: true }))
      .toBeVisible();
  });

  it('that cannot be opened say so', async () => {
    serveList('organizations', rows);
    serve(http.get('/api/Dashboard/organizations/:id', () => problem(404, 'Not there.')));
    const screen = await open('organizations', { open: uuid(2) });
    await expect.element(screen.getByRole('dialog').getByText('Failed to load')).toBeVisible();
  });
});

describe('the sites', () => {
  const rows: Schemas['DashboardSite'][] = [1, 2].map((number) => ({
    id: uuid(number),
    name: `Site ${number}`,
    organizationId: uuid(9),
    organizationName: 'Harbor Light',
    isCommercial: true,
    contactWeb: number === 1 ? null : 'https://two.example',
    contactPhone: '+17145550100',
    contactEmail: 'house@demo.example',
    rooms: 2,
    countOfBeds: 10,
    countOfVacantBeds: 3,
  }));
  const all = { sites: 1200, rooms: 20, beds: 300, vacantBeds: 100, filledBeds: 200 };

  it('have their columns, and totals of all or of the selected ones', async () => {
    serveList('sites', rows, all);
    serveOccupancy();
    const selections: unknown[] = [];
    serve(
      http.post('/api/Dashboard/sites/totals', async ({ request }) => {
        selections.push(await request.json());
        return HttpResponse.json({ sites: 1, rooms: 2, beds: 10, vacantBeds: 3, filledBeds: 7 });
      }),
    );
    const screen = await open('sites');
    await expect
      .poll(() =>
        screen
          .getByRole('table', { name: 'Sites' })
          .getByRole('columnheader')
          .elements()
          .map((heading) => heading.textContent?.trim()),
      )
      .toEqual([
        'Site Name',
        'Organization ID',
        'Contact Web',
        'Contact Phone',
        'Contact Email',
        'Rooms',
        'Count of Beds',
        'Count of Vacant Beds',
      ]);
    const totals = () =>
      [...document.querySelectorAll('[data-tour="dashboard-totals"] > div')].map((one) => one.textContent);
    await expect
      .poll(totals)
      .toEqual(['Total Sites1,200', 'Total Rooms20', 'Total Beds300', 'Total Vacant Beds100', 'Total Filled Beds200']);
    await expect.element(screen.getByRole('cell', { name: 'N/A' })).toBeVisible();
    await expect.element(screen.getByText(/On average 48% of the beds were occupied/)).toBeVisible();
    await expectNoViolations();
    await screen.getByLabelText('Select Site 2').click();
    await expect.poll(totals).toContain('Total Filled Beds7');
    expect(selections).toEqual([{ ids: [uuid(2)] }]);
    await screen.getByLabelText('Select Site 2').click();
    await expect.poll(totals).toContain('Total Sites1,200');
  });

  it('open with their contacts and how full they were', async () => {
    serveList('sites', rows, all);
    const asked = serveOccupancy();
    const screen = await open('sites');
    await screen.getByRole('button', { name: 'Site 1' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Site 1' });
    await expect.element(dialog.getByText('10 beds, 3 vacant')).toBeVisible();
    await expect.poll(() => asked).toContain(`?days=30&siteId=${uuid(1)}`);
    await expect
      .element(dialog.getByRole('link', { name: 'View Site' }))
      .toHaveAttribute('href', `/paid-rehabs/${uuid(9)}/${uuid(1)}`);
    await expectNoViolations();
  });

  it('open by the address although the row is on another page', async () => {
    serveList('sites', rows, all);
    serveOccupancy();
    serve(
      http.get('/api/Dashboard/sites/:id', ({ params }) =>
        HttpResponse.json({ ...rows[0], id: params.id, name: 'Far' }),
      ),
    );
    const screen = await open('sites', { open: uuid(30) });
    await expect.element(screen.getByRole('dialog', { name: 'Far' }).getByText('10 beds, 3 vacant')).toBeVisible();
  });
});

describe('occupancy', () => {
  it('is a sentence, a picture and a table, over the time that is chosen', async () => {
    const asked = serveOccupancy();
    const screen = await renderView(<OccupancyPanel title="Occupancy" siteId="s1" />, { user: me });
    await expect
      .element(
        screen.getByText(
          'On average 48% of the beds were occupied: lowest 25% on Mar 1, 2026, highest 70% on Mar 10, 2026.',
        ),
      )
      .toBeVisible();
    await screen.getByText('Show as a table').click();
    await expect.element(screen.getByRole('rowheader', { name: 'Mar 30, 2026' })).toBeVisible();
    await expectNoViolations();
    await screen.getByText('90 days').click();
    await expect.poll(() => asked.at(-1)).toBe('?days=90&siteId=s1');
  });

  it('says that there were no beds, or that it could not be loaded', async () => {
    serve(
      http.get('/api/Dashboard/occupancy', () =>
        HttpResponse.json({ days: [{ date: '2026-03-01', beds: 0, occupied: 0 }] }),
      ),
    );
    const screen = await renderView(<OccupancyPanel title="Occupancy" />, { user: me });
    await expect.element(screen.getByText('There were no beds in this period.')).toBeVisible();
  });

  it('can be asked for again', async () => {
    serve(http.get('/api/Dashboard/occupancy', () => problem(500, 'Our mistake.')));
    const screen = await renderView(<OccupancyPanel title="Occupancy" />, { user: me });
    await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
