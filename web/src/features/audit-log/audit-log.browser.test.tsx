import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { auditLogSearch } from './audit-log-search';
import type { AuditLogSearch, AuditTab, TrailEntry, TrailFilter } from './audit-log.utils';
import { FailedList } from './components/failed-list';
import { GuestsList } from './components/guests-list';
import { InternalList } from './components/internal-list';
import { PasswordList } from './components/password-list';
import { TrailFilters } from './components/trail-filters';

afterEach(async () => {
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const LISTS = { internal: InternalList, failed: FailedList, guests: GuestsList, password: PasswordList };
const PATHS = { internal: 'internal', failed: 'loginFailed', guests: 'guestCreated', password: 'passwordChanged' };
const uuid = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Answers a list call with a page of `rows`, as the server would, and remembers what was asked. */
function serveList(tab: AuditTab, rows: readonly object[]) {
  const asked: string[] = [];
  serve(
    http.get(`/api/EventLogs/${PATHS[tab]}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      const size = Number(query.get('PageSize'));
      const number = Number(query.get('PageNumber'));
      const items = rows.slice((number - 1) * size, number * size);
      const totalPages = Math.ceil(rows.length / size);
      return HttpResponse.json({ items, totalCount: rows.length, totalPages, metadata: { totalPages } });
    }),
  );
  return asked;
}

async function open(tab: AuditTab, search: Partial<AuditLogSearch> = {}) {
  const List = LISTS[tab];
  function View() {
    const [state, setState] = useState<AuditLogSearch>({
      ...auditLogSearch.parse({ tab }),
      ...search,
    });
    return <List search={state} onChange={(changes) => setState((before) => ({ ...before, ...changes }))} />;
  }
  return renderView(<View />, { user: currentUser({ role_global: true }) });
}

const entry = (number: number, fields: Partial<TrailEntry> = {}): TrailEntry => ({
  id: uuid(number),
  at: '2026-03-02T18:01:05.000Z',
  action: 'guest.accepted',
  actorEmail: 'intake@demo.example',
  actorRole: 'Intake',
  organizationId: uuid(100),
  organizationName: 'Harbor Recovery',
  siteId: uuid(200),
  siteName: 'Harbor House',
  objectType: 'guest',
  objectId: uuid(300),
  objectName: 'K7M2QX',
  summary: 'K7M2QX',
  fromBed: null,
  toBed: 'Window',
  query: null,
  guestCount: 0,
  address: '203.0.113.7',
  ...fields,
});
const nowhere = { organizationId: null, organizationName: null, siteId: null, siteName: null };
const nothing = { objectType: null, objectId: null, objectName: null };
const nobody = { actorEmail: null, actorRole: null };
const TRAIL = [
  entry(1),
  entry(2, {
    action: 'audit.viewed',
    actorRole: 'GlobalAdmin',
    summary: '',
    query: 'failed, page 2 of 10 rows each',
    toBed: null,
    ...nowhere,
    ...nothing,
  }),
  entry(3, { action: 'guest.expired', toBed: null, address: 'job', ...nobody }),
  entry(5, {
    action: 'board.viewed',
    objectType: 'site',
    objectId: uuid(200),
    objectName: 'Harbor House',
    summary: 'version 12',
    toBed: null,
    guestCount: 2,
  }),
  entry(4, { action: 'coupon.made-up', objectType: 'gift-coupon', objectName: null, actorRole: 'Janitor' }),
];

/** The texts of a row, those of one cell joined by a stroke. */
const cells = (screen: Awaited<ReturnType<typeof open>>, row: number) =>
  [...(screen.getByRole('row').elements()[row]?.querySelectorAll('td') ?? [])].map(
    (cell) =>
      [...cell.querySelectorAll('span span, span bdi')].map(({ textContent }) => textContent).join(' / ') ||
      cell.textContent,
  );
const headings = (screen: Awaited<ReturnType<typeof open>>) =>
  screen
    .getByRole('columnheader')
    .elements()
    .map((heading) => heading.textContent?.trim());

describe('everything on record', () => {
  it('tells who did what, where, about what and from where, in words', async () => {
    const asked = serveList('internal', TRAIL);
    const screen = await open('internal');
    await expect
      .poll(() => headings(screen))
      .toEqual(['Time', 'Who', 'What happened', 'Where', 'About', 'Details', 'Address']);
    expect(asked).toEqual(['PageNumber=1&PageSize=10']);
    expect(cells(screen, 1).slice(1)).toEqual([
      'intake@demo.example / Intake',
      'Guest accepted',
      'Harbor House / Harbor Recovery',
      'K7M2QX / Guest',
      'Bed Window',
      '203.0.113.7',
    ]);
    expect(cells(screen, 2).slice(1)).toEqual([
      'intake@demo.example / Global Admin',
      'Audit log viewed',
      '–',
      '–',
      'Failed sign-ins / page 2 of 10 rows each',
      '203.0.113.7',
    ]);
    // A job, and a name that is not said twice.
    expect(cells(screen, 3).slice(1)).toEqual([
      'Berth (automatic)',
      'Reservation expired',
      'Harbor House / Harbor Recovery',
      'K7M2QX / Guest',
      '–',
      '–',
    ]);
    // A site that is said already.
    expect(cells(screen, 4).slice(2, 6)).toEqual([
      'Bed board viewed',
      'Harbor House / Harbor Recovery',
      'Site',
      'version 12',
    ]);
    // What this version has no word for can be read all the same.
    expect(cells(screen, 5).slice(1, 5)).toEqual([
      'intake@demo.example / Janitor',
      'Coupon made up',
      'Harbor House / Harbor Recovery',
      'Gift coupon',
    ]);
    await expectNoViolations();
  });

  it('gives the time of a row in the zone of the reader and as a machine reads it', async () => {
    serveList('internal', [entry(1)]);
    const screen = await open('internal');
    const expected = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hour12: true }).format(
      new Date('2026-03-02T18:01:05.000Z'),
    );
    const time = screen.getByText(expected);
    await expect.element(time).toBeVisible();
    expect(time.element().closest('time')?.getAttribute('datetime')).toBe('2026-03-02T18:01:05.000Z');
  });
});

it('names the guests who were shown when asked, by their codes', async () => {
  serveList('internal', TRAIL);
  serve(
    http.get('/api/EventLogs/internal/:id/guests', ({ params }) =>
      HttpResponse.json(params.id === uuid(5) ? [uuid(1), uuid(2)].map((id, at) => ({ id, code: `CODE${at}` })) : []),
    ),
  );
  const screen = await open('internal');
  await screen.getByRole('button', { name: '2 guests shown' }).click();
  await expect.element(screen.getByText('CODE0, CODE1')).toBeVisible();
  await expectNoViolations();
});

it('asks for the rows that the filters let through, and says so when there are more', async () => {
  const asked: string[] = [];
  serve(
    http.get('/api/EventLogs/internal', ({ request }) => {
      asked.push(new URL(request.url).searchParams.toString());
      return HttpResponse.json({ items: [], totalCount: 0, totalPages: 0, isComplete: false });
    }),
  );
  const screen = await open('internal', {
    guest: 'K7M2QX',
    action: 'guest.viewed',
    from: '2026-03-02',
    to: '2026-03-02',
  });
  await expect.element(screen.getByText('No entries match these filters')).toBeVisible();
  await expect.element(screen.getByRole('status')).toHaveTextContent(/Only the newest 20,000 entries were searched/);
  const query = new URLSearchParams(asked[0]);
  expect([query.get('guest'), query.get('action')]).toEqual(['K7M2QX', 'guest.viewed']);
  const [from, until] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('until') ?? '')];
  expect(new Date(from).toString()).toContain('00:00:00');
  expect((until - from) / 3_600_000).toBe(24);
});

describe('the filters', () => {
  async function filters(filter: TrailFilter, mayShowAll = true) {
    const changes: TrailFilter[] = [];
    const places = [
      { id: 'o1', name: 'Harbor Recovery' },
      { id: 'o2', name: 'Open Hands' },
    ];
    function Filters() {
      const [inForce, setInForce] = useState(filter);
      return (
        <>
          <TrailFilters
            filter={inForce}
            organizations={places}
            mayShowAll={mayShowAll}
            sites={[{ id: 's1', name: 'Harbor House' }]}
            onChange={(change) => {
              changes.push(change);
              setInForce(change);
            }}
          />
          <button type="button" onClick={() => setInForce({ guest: 'K7M2QX' })}>
            Earlier address
          </button>
        </>
      );
    }
    const screen = await renderView(<Filters />, { user: currentUser({ role_global: true }) });
    return { screen, changes };
  }

  it('come into force together, by the button or by Enter', async () => {
    const { screen, changes } = await filters({});
    await screen.getByLabelText('Who (email)').click();
    await userEvent.keyboard(' intake@demo.example ');
    await screen.getByLabelText('Guest (code)').click();
    await userEvent.keyboard('k7m2qx');
    expect(changes).toEqual([]);
    await userEvent.keyboard('{Enter}');
    expect(changes).toEqual([{ person: 'intake@demo.example', guest: 'k7m2qx' }]);
    await expectNoViolations();
  });

  it('keep the organization when they are cleared, and lead to the same rows as a file', async () => {
    const { screen, changes } = await filters({ organization: 'o1', guest: 'K7M2QX' });
    await expect
      .element(screen.getByRole('link', { name: 'Download CSV' }))
      .toHaveAttribute('href', '/api/EventLogs/internal.csv?organizationId=o1&guest=K7M2QX');
    await screen.getByRole('button', { name: 'Clear filters' }).click();
    expect(changes).toEqual([{ organization: 'o1' }]);
  });

  it('say at the field what cannot be searched for, until it is changed', async () => {
    const { screen, changes } = await filters({});
    const person = screen.getByLabelText('Who (email)');
    const [from, to] = [screen.getByLabelText('From date'), screen.getByLabelText('To date')];
    await person.fill('nobody');
    await from.fill('2026-11-20');
    await to.fill('2026-11-01');
    await screen.getByRole('button', { name: 'Show' }).click();
    await expect.element(person).toHaveAccessibleDescription('Invalid email.');
    await expect.element(person).toHaveFocus();
    await expect.element(to).toHaveAccessibleDescription('This is before the first date');
    await expect.element(from).toBeValid();
    await expectNoViolations();
    expect(changes).toEqual([]);
    await person.fill('nobody@demo.example');
    await expect.element(person).not.toHaveAccessibleDescription();
    await from.click();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{Delete}');
    await screen.getByRole('button', { name: 'Show' }).click();
    await expect.element(from).toHaveAccessibleDescription('Please enter the whole date');
    await from.fill('2026-10-20');
    await screen.getByRole('button', { name: 'Show' }).click();
    expect(changes).toEqual([
      { person: 'nobody@demo.example', guest: undefined, from: '2026-10-20', to: '2026-11-01' },
    ]);
  });

  it('take days of this century alone', async () => {
    const { screen, changes } = await filters({});
    const from = screen.getByLabelText('From date');
    await from.fill('0026-11-20');
    await screen.getByRole('button', { name: 'Show' }).click();
    await expect.element(from).toHaveAccessibleDescription('Please enter a year from 2000 to 2999');
    expect(changes).toEqual([]);
  });

  it.each(['Clear filters', 'Earlier address'])('empty a date that is half typed: %s', async (name) => {
    const { screen } = await filters({ action: 'access.denied' });
    const from = screen.getByLabelText('From date');
    await from.click();
    await userEvent.keyboard('11');
    await screen.getByRole('button', { name: 'Show' }).click();
    await expect.element(from).toHaveAccessibleDescription('Please enter the whole date');
    await screen.getByRole('button', { name }).click();
    await expect.element(from).toBeValid();
    await expect.element(from).not.toHaveAccessibleDescription();
    await screen.getByRole('button', { name: 'Show' }).click();
    await expect.element(from).toBeValid();
  });

  it('put the organization in force alone, and keep what is typed beside it', async () => {
    const { screen, changes } = await filters({ action: 'access.denied' });
    const person = screen.getByLabelText('Who (email)');
    await person.fill('nobody');
    await screen.getByRole('combobox', { name: 'Organization' }).click();
    await screen.getByRole('option', { name: 'Open Hands' }).click();
    expect(changes).toEqual([{ action: 'access.denied', organization: 'o2' }]);
    await expect.element(person).toHaveValue('nobody');
    await screen.getByRole('button', { name: 'Show' }).click();
    await expect.element(person).toHaveAccessibleDescription('Invalid email.');
  });

  it('offer every action by its words', async () => {
    const { screen, changes } = await filters({});
    await screen.getByRole('combobox', { name: 'What happened' }).click();
    await screen.getByRole('option', { name: 'Access denied' }).click();
    await screen.getByRole('button', { name: 'Show' }).click();
    expect(changes).toEqual([{ action: 'access.denied', person: undefined, guest: undefined }]);
  });
});

it('a text that somebody typed never turns around what stands beside it', async () => {
  // Rows from before such characters were taken out.
  const typed = '\u202eelpmaxe';
  const isIsolated = (text: { elements: () => Element[] }) => text.elements().map((element) => element.tagName);
  serveList('internal', [entry(1, { actorEmail: typed, objectName: `${typed} 2`, summary: `${typed} 3` })]);
  const trail = await open('internal');
  await expect.poll(() => isIsolated(trail.getByText(typed))).toEqual(['BDI', 'BDI', 'BDI']);
  await trail.unmount();
  serveList('failed', [{ id: uuid(1), login: typed, loginFailedAt: '2026-03-02T18:01:05.000Z' }]);
  const failed = await open('failed');
  await expect.poll(() => isIsolated(failed.getByText(typed))).toEqual(['BDI']);
});

it('failed sign-ins have login and time', async () => {
  serveList('failed', [
    { id: uuid(1), login: 'nobody@demo.example', loginFailedAt: '2026-03-02T18:01:05.000Z' },
    { id: uuid(2), login: '', loginFailedAt: '2026-03-02T18:00:05.000Z' },
  ]);
  const screen = await open('failed');
  await expect.poll(() => headings(screen)).toEqual(['Login', 'Time of failure']);
  await expect.element(screen.getByText('nobody@demo.example')).toBeVisible();
  await expect.element(screen.getByText('Left empty')).toBeVisible();
});

it('guests have their names, the site and who added them; who reserved for himself was added by no one', async () => {
  const guest = {
    firstName: 'Ana',
    lastName: 'P',
    siteName: 'Harbor House',
    guestCreatedAt: '2026-03-02T18:01:05.000Z',
  };
  serveList('guests', [
    { id: uuid(1), ...guest, createdByEmail: 'intake@demo.example', createdByRole: 'Intake' },
    { id: uuid(2), ...guest, firstName: 'Ben', createdByEmail: null, createdByRole: null },
  ]);
  const screen = await open('guests');
  await expect
    .poll(() => headings(screen))
    .toEqual(['First Name', 'Last Name', 'Site Name', 'Created by', 'Creator role', 'Created at']);
  expect(cells(screen, 1).slice(0, 5)).toEqual(['Ana', 'P', 'Harbor House', 'intake@demo.example', 'Intake']);
  expect(cells(screen, 2).slice(0, 5)).toEqual(['Ben', 'P', 'Harbor House', 'Reserved online', '–']);
});

it.each([
  ['internal', entry(1)],
  ['guests', { id: uuid(1), firstName: 'Ana', lastName: 'P', createdByEmail: 'intake@demo.example' }],
  ['password', { id: uuid(1), email: 'intake@demo.example', role: 'Intake' }],
] as const)('whose email is in a row is written to by one press: %s', async (tab, row) => {
  const at = '2026-03-02T18:01:05.000Z';
  serveList(tab, [{ guestCreatedAt: at, passwordChangedAt: at, ...row }]);
  const screen = await open(tab);
  await expect
    .element(screen.getByRole('link', { name: 'intake@demo.example' }))
    .toHaveAttribute('href', 'mailto:intake@demo.example');
});

it('passwords have email, role and time', async () => {
  serveList('password', [
    { id: uuid(1), email: 'owner@demo.example', role: 'Owner', passwordChangedAt: '2026-03-02T18:01:05.000Z' },
  ]);
  const screen = await open('password');
  await expect.poll(() => headings(screen)).toEqual(['Email', 'Role', 'Changed at']);
  expect(cells(screen, 1).slice(0, 2)).toEqual(['owner@demo.example', 'Owner']);
});

describe('a list', () => {
  const failed = Array.from({ length: 23 }, (_, index) => ({
    id: uuid(index),
    login: `login ${index}`,
    loginFailedAt: '2026-03-02T18:01:05.000Z',
  }));

  it('comes ten rows at a time, as many as are chosen, and is not sorted', async () => {
    const asked = serveList('failed', failed);
    const screen = await open('failed');
    await expect.element(screen.getByText('1–10 of 23')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Login' })).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Next page' }).click();
    await expect.element(screen.getByText('11–20 of 23')).toBeVisible();
    await expect.element(screen.getByText('login 10')).toBeVisible();
    await screen.getByRole('combobox').selectOptions('25');
    await expect.element(screen.getByText('1–23 of 23')).toBeVisible();
    expect(asked).toEqual(['PageNumber=1&PageSize=10', 'PageNumber=2&PageSize=10', 'PageNumber=1&PageSize=25']);
  });

  it('leads from a page that is not there to the last one', async () => {
    serveList('failed', failed);
    const screen = await open('failed', { page: 40 });
    await expect.element(screen.getByText('21–23 of 23')).toBeVisible();
    await expect.element(screen.getByText('login 22')).toBeVisible();
  });

  it.each([
    ['internal', 'No entries yet'],
    ['failed', 'No failed sign-ins yet'],
    ['guests', 'No guests added yet'],
    ['password', 'No passwords set yet'],
  ] as const)('says so when it is empty: %s', async (tab, text) => {
    serveList(tab, []);
    const screen = await open(tab);
    await expect.element(screen.getByText(text)).toBeVisible();
    await expectNoViolations();
  });

  it('says when it cannot be loaded, and tries again when asked', async () => {
    serve(http.get('/api/EventLogs/loginFailed', () => problem(500, 'Something went wrong on our side.')));
    const screen = await open('failed');
    await expect.element(screen.getByRole('alert')).toBeVisible();
    await expectNoViolations();
    serveList('failed', failed);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await expect.element(screen.getByText('1–10 of 23')).toBeVisible();
  });

  it('is cards on a phone, also in the dark', async () => {
    await page.viewport(390, 844);
    writePreference('colorScheme', 'dark');
    serveList('internal', TRAIL);
    const screen = await open('internal');
    await expect.element(screen.getByRole('list', { name: 'All entries' })).toBeVisible();
    await expect.element(screen.getByText('Guest accepted')).toBeVisible();
    await expectNoViolations();
  });
});
