import { cleanNotifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { delay, http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { todayKeys } from '@/features/today/api/keys';
import { todaySearch } from '@/features/today/today-search';
import { pressMarked } from '@/components/press-marked';
import { changeLanguage, loadTexts } from '@/i18n/i18n';
import { serverNow } from '@/lib/clock';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, service, siteDetails } from '@/testing/bed-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { DashboardPage } from '@/features/dashboard/components/dashboard-page';
import { dashboardSearch } from '@/features/dashboard/dashboard-search';
import { OrganizationsPage } from './organizations-page';
import { TodayPage } from './today-page';
import { TodaySummary } from './today-summary';

type User = ReturnType<typeof currentUser>;

const S1 = '0190a000-0000-7000-8000-0000000000a1';
const S2 = '0190a000-0000-7000-8000-0000000000a2';
const harbor: Schemas['TodayPlace'] = {
  id: S1,
  name: 'Harbor House',
  organizationId: 'o1',
  isCommercial: false,
  timeZone: 'America/Los_Angeles',
};
const bay: Schemas['TodayPlace'] = { ...harbor, id: S2, name: 'Bay House', timeZone: 'America/New_York' };
const intake = currentUser({ role_intake_site_ids: `${S1},${S2}` });
const staff = currentUser({ role_staff_site_ids: `${S1},${S2}` });
const admin = currentUser({ role_admin_site_ids: `${S1},${S2}` });

const inMinutes = (minutes: number) => new Date(serverNow() + minutes * 60_000).toISOString();

function waiting(
  id: string,
  firstName: string,
  fields: Partial<Schemas['Guest']> = {},
  site = harbor,
): Schemas['TodayReservation'] {
  const code = id.toUpperCase();
  const whole = {
    firstName,
    code,
    displayName: `${firstName} B. ${code}`,
    siteId: site.id,
    siteName: site.name,
    createdAt: inMinutes(-60),
    expiresAt: inMinutes(120),
    ...fields,
  };
  return { guest: guest(id, whole), site };
}

function siteOf(place: Schemas['TodayPlace'], vacant: number, held: number): Schemas['TodaySite'] {
  const available = Math.max(0, vacant - held);
  const counts = { rooms: 1, beds: 20, vacant, occupied: 3, disabled: 0, pending: held, guests: 3, available };
  return {
    ...place,
    organizationName: 'Harbor Recovery',
    roles: ['Intake'],
    counts,
    free: [
      { type: 'Detox', beds: 12, vacant, available: Math.min(vacant, available) },
      { type: 'Sober Living', beds: 8, vacant: 0, available: 0 },
    ],
  };
}

function move(kind: Schemas['TodayMove']['kind'], fields: Partial<Schemas['TodayMove']> = {}): Schemas['TodayMove'] {
  return {
    kind,
    at: inMinutes(-30),
    by: 'Ines Moreno',
    byUserId: 'somebody',
    guest: waiting('moved', 'Mona').guest,
    site: harbor,
    from: { bedId: 'a', roomName: 'House 1', bedName: 'Bed a' },
    to: { bedId: 'b', roomName: 'House 2', bedName: 'Bed b' },
    ...fields,
  };
}

const stay = (id: string, firstName: string, daysLeft: number): Schemas['TodayStay'] => ({
  guest: waiting(id, firstName, { status: 'accepted', daysStayed: 30 - daysLeft }).guest,
  site: harbor,
  maximumStayDays: 30,
  daysLeft,
});

const anna = waiting('anna', 'Anna', {
  phone: '+17145550134',
  expiresAt: inMinutes(20),
  age: service('age-18-26', '18 to 26', 'Age'),
  services: [service('medical-detox', 'Medical detox', 'General')],
  mediCalChoice: { id: 'moc', name: 'Medi-Cal Orange County' },
});
const ben = waiting('ben', 'Ben', {}, bay);
const cora = waiting('cora', 'Cora', { expiresAt: null });

/** What the server has of the shift. Decisions in a test change it, as they do there. */
function shift(fields: Partial<Schemas['Today']> = {}): Schemas['Today'] {
  const rows = fields.waiting ?? [anna, ben, cora];
  return {
    waiting: rows,
    waitingTotal: rows.length,
    arriving: [],
    sites: [siteOf(bay, 9, 9), siteOf(harbor, 9, 4)],
    sitesTotal: 2,
    moves: [],
    hasMoreMoves: false,
    soon: [],
    soonTotal: 0,
    ...fields,
  };
}

const NOTHING = shift({ waiting: [], waitingTotal: 0, sites: [], sitesTotal: 0 });

beforeEach(async () => {
  await page.viewport(1360, 900);
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet(
      '/api/Sites',
      onePage([
        { ...siteDetails([]), id: S1 },
        { ...siteDetails([]), id: S2, name: 'Bay House' },
      ]),
    ),
    answerGet('/api/SiteServices/commercial', groups),
    answerGet('/api/SiteServices/nonCommercial', groups),
  );
});
afterEach(async () => {
  cleanNotifications();
  tellUserForgotten();
  writePreference('colorScheme', 'light');
  await changeLanguage('en');
});

const groups: Schemas['ServiceGroups'] = {
  age: [],
  gender: [],
  client: [],
  general: [service('medical-detox', 'Medical detox', 'General')],
  disability: [],
};

function Page() {
  return (
    <Suspense>
      <TodayPage search={todaySearch.parse(useLocation().search)} />
    </Suspense>
  );
}

/** Answers Today from `world`, which a test may change; `asked` are the questions. */
function serveToday(world: { today: Schemas['Today'] }) {
  const asked: string[] = [];
  serve(
    http.get('/api/Today', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(world.today);
    }),
  );
  return asked;
}

async function open(today: Schemas['Today'] = shift(), user: User = intake, path = '/today') {
  const world = { today };
  const asked = serveToday(world);
  await loadTexts('today', 'reservations', 'guests', 'houses', 'catalog');
  const screen = await renderView(<Page />, { user, path });
  return { screen, world, asked };
}

/** Answers changes of guests: `decide` says what becomes of the shift. */
function serveUpdates(
  world: { today: Schemas['Today'] },
  decide: (today: Schemas['Today'], id: string, status: string) => Schemas['Today'],
) {
  const sent: (Schemas['GuestUpdate'] & { id: string })[] = [];
  serve(
    http.patch('/api/Guests/:id', async ({ params, request }) => {
      const update = (await request.json()) as Schemas['GuestUpdate'] & { id: string };
      sent.push(update);
      const id = String(params.id);
      const known = [...world.today.waiting, ...world.today.arriving, ...world.today.moves].find(
        (one) => one.guest.id === id,
      )?.guest;
      world.today = decide(world.today, id, update.status);
      const status = { ACCEPTED: 'accepted', REJECTED: 'rejected', UNDO: 'pending' }[update.status as 'UNDO'];
      return HttpResponse.json({ ...(known ?? anna.guest), status, version: 2 });
    }),
  );
  return sent;
}

const without = (today: Schemas['Today'], id: string): Schemas['Today'] => {
  const rows = today.waiting.filter((entry) => entry.guest.id !== id);
  return { ...today, waiting: rows, waitingTotal: rows.length };
};

const rows = () =>
  page
    .getByRole('list', { name: /^Needs a decision/ })
    .getByRole('listitem')
    .elements() as HTMLElement[];
const marked = () => rows().flatMap((row) => ('new' in row.dataset ? row.querySelector('a')?.textContent : []));
const names = () => rows().map((row) => row.querySelector('a')?.textContent);

describe('what needs a decision', () => {
  it('stands in the order of the server, with all that a decision needs', async () => {
    const { screen } = await open();
    await expect.element(screen.getByRole('heading', { name: 'Needs a decision (3)' })).toBeVisible();
    expect(names()).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
    const [first, , last] = rows();
    for (const text of [
      'ANNA',
      'Harbor House',
      'Medical detox',
      'Medi-Cal Orange County',
      '18 to 26, Female',
      'min left',
    ]) {
      expect(first?.textContent).toContain(text);
    }
    expect(last?.textContent).toContain('No time limit');
    await expect
      .element(screen.getByRole('link', { name: '+1 (714) 555-0134' }))
      .toHaveAttribute('href', 'tel:+17145550134');
    expect(document.title).toBe('Today · Berth');
    await expectNoViolations();
  });

  it('shows what is left of the hold as a bar too', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(3);
    const widths = rows().map((row) =>
      Number.parseFloat(row.querySelector<HTMLElement>('[aria-hidden] > span[style]')?.style.width ?? ''),
    );
    expect(widths[0]).toBeCloseTo(25, 0);
    expect(widths[1]).toBeCloseTo(66.7, 0);
    expect(widths[2]).toBeNaN();
  });

  it('leads from a name to the guest', async () => {
    const { screen } = await open();
    await screen.getByRole('link', { name: 'Ben B.' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/guest/${S2}/ben`);
  });

  it('is accepted in place: the row goes, the next one has the focus, and the accept can be undone', async () => {
    const { screen, world } = await open();
    const site = siteDetails([room('1', [bed('a'), bed('b')])], { id: S1, isCommercial: false });
    serve(
      answerGet(`/api/Sites/${S1}`, site),
      answerGet('/api/Guests', onePage([anna.guest])),
      answerGet('/api/Guests/anna', anna.guest),
    );
    const sent = serveUpdates(world, (today, id, status) => (status === 'UNDO' ? shift() : without(today, id)));
    await screen.getByRole('button', { name: 'Accept Anna B. ANNA' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Accept Anna B.' });
    await dialog.getByRole('radio', { name: 'Bed b, House 1, Detox' }).click();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.poll(names).toEqual(['Ben B.', 'Cora B.']);
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
    expect(sent).toEqual([{ id: 'anna', status: 'ACCEPTED', bedId: 'b', version: 1 }]);
    expect(screen.router.state.location.pathname).toBe('/today');
    await screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
    expect(sent.at(-1)).toMatchObject({ id: 'anna', status: 'UNDO', version: 2 });
  });

  it('is proposed a bed that is vacant by now, not one that was filled since the beds were last shown', async () => {
    const { screen, world } = await open();
    const beds = [bed('a'), bed('b')];
    let asked = 0;
    serve(
      http.get(`/api/Sites/${S1}`, async () => {
        asked += 1;
        // The answer after the first accept comes when its dialog is closed, and is not waited for.
        if (asked === 2) await delay('infinite');
        return HttpResponse.json(siteDetails([room('1', beds)], { id: S1, isCommercial: false }));
      }),
      http.get('/api/Guests', () => HttpResponse.json(onePage([anna.guest, cora.guest]))),
      http.get('/api/Guests/:id', ({ params }) => HttpResponse.json(params.id === 'anna' ? anna.guest : cora.guest)),
    );
    const sent = serveUpdates(world, (today, id) => {
      beds[0] = bed('a', { guest: guestShort('anna') });
      return without(today, id);
    });
    await screen.getByRole('button', { name: 'Accept Anna B. ANNA' }).click();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Accept Cora B. CORA' }).click();
    await expect.element(screen.getByRole('radio', { name: 'Bed b, House 1, Detox' })).toBeChecked();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.poll(() => sent.map(({ id, bedId }) => `${id} ${bedId}`)).toEqual(['anna a', 'cora b']);
  });

  it('is declined in place; after the last row the focus is on the one before, then on the heading', async () => {
    const { screen, world } = await open(shift({ waiting: [anna, ben] }));
    const sent = serveUpdates(world, without);
    const decline = async (name: string) => {
      await screen.getByRole('button', { name: `Decline ${name}` }).click();
      const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
      await question.getByRole('button', { name: 'Decline' }).click();
      await expect.element(question).not.toBeInTheDocument();
    };
    await decline('Ben B. BEN');
    await expect.poll(names).toEqual(['Anna B.']);
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toHaveFocus();
    await decline('Anna B. ANNA');
    await expect.element(screen.getByText('Nothing needs a decision')).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'Needs a decision (0)' })).toHaveFocus();
    expect(sent.map(({ id, status }) => `${id} ${status}`)).toEqual(['ben REJECTED', 'anna REJECTED']);
  });

  it('is declined by keyboard alone', async () => {
    const { screen, world } = await open();
    const sent = serveUpdates(world, without);
    await expect.element(screen.getByRole('button', { name: 'Decline Anna B. ANNA' })).toBeVisible();
    screen.getByRole('button', { name: 'Decline Anna B. ANNA' }).element().focus();
    await userEvent.keyboard('{Enter}');
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await expect.element(question.getByRole('button', { name: 'Decline' })).toBeVisible();
    question.getByRole('button', { name: 'Decline' }).element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
    expect(sent).toHaveLength(1);
  });

  it('is decided by the keys a and d on the row with the focus, and by the same key in the dialog', async () => {
    const { screen, world } = await open();
    const site = siteDetails([room('1', [bed('a')])], { id: S1, isCommercial: false });
    serve(
      answerGet(`/api/Sites/${S1}`, site),
      answerGet('/api/Guests', onePage([anna.guest])),
      answerGet('/api/Guests/anna', anna.guest),
    );
    const sent = serveUpdates(world, without);
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
    pressMarked('a');
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toHaveFocus();
    pressMarked('a');
    await expect.element(screen.getByRole('button', { name: 'Accept into this bed' })).toBeVisible();
    pressMarked('a');
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    pressMarked('d');
    const question = screen.getByRole('dialog', { name: /^Decline the reservation for Ben/ });
    await expect.element(question).toBeVisible();
    expect(sent.map(({ id, status, bedId }) => `${id} ${status} ${bedId}`)).toEqual(['anna ACCEPTED a']);
  });

  it('keeps a row whose decision was refused, and says why', async () => {
    const { screen } = await open();
    serve(http.patch('/api/Guests/:id', () => problem(409, 'Someone else decided.', { guest: anna.guest })));
    await screen.getByRole('button', { name: 'Decline Anna B. ANNA' }).click();
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect.element(question.getByText(/Someone else decided/)).toBeVisible();
    expect(names()).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
  });

  it('offers staff no decision and shows no phone', async () => {
    const { screen } = await open(shift(), staff);
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Accept|Decline)/ }).elements()).toHaveLength(0);
    expect(document.querySelector('a[href^="tel:"]')).toBeNull();
    await expectNoViolations();
  });

  it('says how many are not shown', async () => {
    const { screen } = await open(shift({ waitingTotal: 1200 }));
    await expect.element(screen.getByText('The first 3 of 1,200 are shown.', { exact: false })).toBeVisible();
  });

  it('is asked for again when a hold ends', async () => {
    const soonOver = waiting('dora', 'Dora', { expiresAt: inMinutes(1 / 60) });
    const { world, asked } = await open(shift({ waiting: [soonOver, ben] }));
    await expect.poll(names).toEqual(['Dora B.', 'Ben B.']);
    world.today = shift({ waiting: [ben] });
    await expect.poll(names).toEqual(['Ben B.']);
    expect(asked.length).toBe(2);
  });

  it('marks a row that has just come, and says so', async () => {
    const { screen, world } = await open(shift({ waiting: [anna, ben] }));
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.']);
    expect(marked()).toEqual([]);
    world.today = shift({ waiting: [anna, cora, ben] });
    await screen.queryClient.invalidateQueries({ queryKey: todayKeys.all });
    await expect.poll(marked).toEqual(['Cora B.']);
    await expect.element(screen.getByText('New in the list: Cora B. CORA')).toHaveAttribute('role', 'status');
    world.today = shift({ waiting: [anna, cora] });
    await screen.queryClient.invalidateQueries({ queryKey: todayKeys.all });
    await expect.poll(marked).toEqual([]);
    await expect.element(screen.getByText('New in the list', { exact: false })).not.toBeInTheDocument();
  });

  it('marks no row that other filters bring', async () => {
    const { screen, world } = await open(shift({ waiting: [anna] }), intake, `/today?siteId=${S1}`);
    await expect.poll(names).toEqual(['Anna B.']);
    world.today = shift({ waiting: [anna, ben] });
    await screen.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.']);
    expect(marked()).toEqual([]);
  });
});

describe('what is free now', () => {
  const site = (name: string) =>
    page.getByRole('list', { name: 'Free now' }).getByRole('listitem').filter({ hasText: name });

  it('leads with available, has vacant and held beside it, and each bed type', async () => {
    const { screen } = await open();
    await expect.element(site('Harbor House').first()).toHaveTextContent(/5 available\s*9 vacant, 4 held/);
    await expect.element(site('Bay House').first()).toHaveTextContent(/0 available\s*9 vacant, 9 held/);
    const types = screen.getByRole('list', { name: 'Available at Harbor House by bed type' });
    await expect.element(types).toHaveTextContent('Detox 5');
    await expect.element(types).toHaveTextContent('Sober Living 0');
    await site('Harbor House').first().getByRole('link').click();
    await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/${S1}`);
  });
});

describe("today's moves", () => {
  it('say what, who, when in the time of the site, from where to where, and by whom', async () => {
    const at = '2026-11-25T21:30:00.000Z';
    const { screen } = await open(
      shift({
        moves: [
          move('moved', { at, guest: waiting('m1', 'Mona').guest }),
          move('accepted', { at, site: bay, by: 'Me', byUserId: intake.id, guest: waiting('m2', 'Nico').guest }),
          move('expired', { at, by: null, byUserId: null, guest: waiting('m3', 'Olga', { status: 'expired' }).guest }),
        ],
        hasMoreMoves: true,
      }),
    );
    const items = screen.getByRole('list', { name: "Today's moves" }).getByRole('listitem');
    await expect.element(items.nth(0)).toHaveTextContent('Mona B. M1Moved from House 1 / Bed a to House 2 / Bed b');
    await expect.element(items.nth(0)).toHaveTextContent('1:30 PM PST · Harbor House · by Ines Moreno');
    await expect.element(items.nth(1)).toHaveTextContent('Accepted into House 2 / Bed b');
    await expect.element(items.nth(1)).toHaveTextContent('4:30 PM EST · Bay House · by you');
    await expect.element(items.nth(2)).toHaveTextContent('The hold expired1:30 PM PST · Harbor House');
    expect(screen.getByRole('button', { name: /^Undo for/ }).elements()).toHaveLength(0);
    await expect.element(screen.getByRole('link', { name: 'See the history' })).toHaveAttribute('href', '/history');
  });

  const declined = move('declined', {
    guest: waiting('dan', 'Dan', { status: 'rejected', rejectedAt: inMinutes(-30) }).guest,
    from: null,
    to: null,
  });

  it('of others are undone by admins for a day, and the guest waits again', async () => {
    const { screen, world } = await open(shift({ waiting: [], moves: [declined] }), admin);
    const sent = serveUpdates(world, () => shift({ waiting: [waiting('dan', 'Dan')] }));
    await screen.getByRole('button', { name: 'Undo for Dan B. DAN' }).click();
    await expect.poll(names).toEqual(['Dan B.']);
    expect(sent).toEqual([{ id: 'dan', status: 'UNDO', bedId: null, version: 1 }]);
    await expect.element(screen.getByText('The reservation for Dan B. is pending again.')).toBeVisible();
  });

  it('of others are not undone by an intake user', async () => {
    const { screen } = await open(shift({ moves: [declined] }));
    await expect.element(screen.getByRole('link', { name: 'Dan B.' })).toBeVisible();
    expect(screen.getByRole('button', { name: /^Undo for/ }).elements()).toHaveLength(0);
  });

  it('of their own are undone by an intake user for ten seconds', async () => {
    const own = move('accepted', {
      at: new Date(serverNow() - 8000).toISOString(),
      byUserId: intake.id,
      guest: waiting('eva', 'Eva', { status: 'accepted' }).guest,
    });
    const { screen } = await open(shift({ moves: [own] }));
    const button = screen.getByRole('button', { name: 'Undo for Eva B. EVA' });
    await expect.element(button).toBeVisible();
    await expect.element(button).not.toBeInTheDocument();
  });
});

describe('a move to another bed', () => {
  const at = () => new Date(serverNow() - 1000).toISOString();
  const moved = (byUserId: string) => {
    const time = at();
    const fields = { status: 'reassigned', assignedBedId: 'b', reassignedAt: time, version: 4 } as const;
    return move('moved', { at: time, byUserId, guest: waiting('mona', 'Mona', fields).guest });
  };

  it('is undone by whoever made it: the guest is sent back to the former bed', async () => {
    const { screen, world } = await open(shift({ moves: [moved(intake.id)] }));
    const sent = serveUpdates(world, (today) => ({ ...today, moves: [] }));
    await screen.getByRole('button', { name: 'Undo for Mona B. MONA' }).click();
    await expect.element(screen.getByText('Mona B. is back in House 1 / Bed a.')).toBeVisible();
    expect(sent).toEqual([{ id: 'mona', status: 'REASSIGNED', bedId: 'a', version: 4 }]);
  });

  it('of somebody else is not undone, by admins neither', async () => {
    const { screen } = await open(shift({ moves: [moved('somebody')] }), admin);
    await expect.element(screen.getByRole('link', { name: 'Mona B.' })).toBeVisible();
    expect(screen.getByRole('button', { name: /^Undo for/ }).elements()).toHaveLength(0);
  });
});

describe('who is arriving', () => {
  const arriving = (id: string, firstName: string) => {
    const place = { room: { id: 'r', name: 'House 2', imagePath: null } };
    const bedOf = { id: 'b', name: 'Bed b', type: 'Detox', index: 0, imagePath: null } as const;
    const fields = { status: 'accepted', isArriving: true, assignedBedId: 'b', bed: bedOf, ...place } as const;
    return waiting(id, firstName, fields);
  };
  const [mona, nico] = [arriving('mona', 'Mona'), arriving('nico', 'Nico')];
  const list = () => page.getByRole('list', { name: 'Arriving', exact: true });

  it('is listed below what needs a decision', async () => {
    const { screen } = await open(shift({ arriving: [mona, nico] }));
    await expect.element(screen.getByRole('heading', { name: 'Arriving', exact: true })).toBeVisible();
    const items = list().getByRole('listitem');
    expect(items.elements()).toHaveLength(2);
    await expect.element(items.nth(0)).toHaveTextContent('Mona B. MONAHarbor House · House 2 / Bed b');
    await expectNoViolations();
  });

  it('is no list while nobody is', async () => {
    const { screen } = await open(shift({ moves: [move('accepted')] }));
    await expect.element(screen.getByRole('link', { name: 'Mona B.' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Arriving', exact: true }).elements()).toHaveLength(0);
  });

  it('has arrived with one press: the row goes, the next one has the focus, and it can be undone', async () => {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    const sent = serveUpdates(world, (today, id, status) => {
      if (status === 'NOT_ARRIVED') return shift({ arriving: [mona, nico] });
      return { ...today, arriving: today.arriving.filter(({ guest: { id: other } }) => other !== id) };
    });
    await screen.getByRole('button', { name: 'Arrived: Mona B. MONA' }).click();
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
    await expect.element(screen.getByRole('button', { name: 'Arrived: Nico B. NICO' })).toHaveFocus();
    await screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(2);
    expect(sent).toMatchObject([
      { id: 'mona', status: 'ARRIVED', version: 1 },
      { id: 'mona', status: 'NOT_ARRIVED', version: 2 },
    ]);
  });

  it('did not come: asked for a reason, then gone from the list', async () => {
    const { screen, world } = await open(shift({ waiting: [], arriving: [mona] }));
    const sent = serveUpdates(world, () => shift({ waiting: [], arriving: [] }));
    await screen.getByRole('button', { name: 'No show: Mona B. MONA' }).click();
    const question = screen.getByRole('dialog', { name: 'Mark Mona B. as a no-show?' });
    await question.getByLabelText('Reason (optional)').fill('Called off.');
    await question.getByRole('button', { name: 'No show' }).click();
    await expect.poll(() => list().elements().length).toBe(0);
    expect(sent).toMatchObject([{ id: 'mona', status: 'NO_SHOW', feedback: 'Called off.' }]);
  });

  it('is shown to staff without the two answers', async () => {
    const { screen } = await open(shift({ arriving: [mona] }), staff);
    await expect.element(screen.getByRole('heading', { name: 'Arriving', exact: true })).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Arrived|No show)/ }).elements()).toHaveLength(0);
  });
});

describe('soon', () => {
  it('says when a guest should leave where that is before the maximum stay, or where there is no maximum', async () => {
    const leaving = (id: string, firstName: string, daysLeft: number, maximumStayDays: number | null) => {
      const fields = { status: 'accepted', daysStayed: 5, expectedDeparture: '2026-12-01' } as const;
      return { guest: waiting(id, firstName, fields).guest, site: harbor, maximumStayDays, daysLeft };
    };
    const soon = [
      leaving('v', 'Vera', -2, null),
      leaving('w', 'Will', -1, null),
      leaving('x', 'Xena', 0, null),
      leaving('y', 'Yuri', 1, 30),
      leaving('z', 'Zoe', 3, 30),
    ];
    const { screen } = await open(shift({ soon, soonTotal: 5 }));
    const items = screen.getByRole('list', { name: 'Soon' }).getByRole('listitem');
    await expect.element(items.nth(0)).toHaveTextContent('Should have left 2 days agoDec 1, 2026');
    await expect.element(items.nth(1)).toHaveTextContent('Should have left yesterday');
    await expect.element(items.nth(2)).toHaveTextContent('Leaves today');
    await expect.element(items.nth(3)).toHaveTextContent('Leaves tomorrow');
    await expect.element(items.nth(4)).toHaveTextContent('Leaves in 3 days');
  });

  it('says how many days are left, and leads to the guest', async () => {
    const { screen } = await open(
      shift({ soon: [stay('x', 'Xena', -2), stay('y', 'Yuri', 0), stay('z', 'Zoe', 1)], soonTotal: 3 }),
    );
    const items = screen.getByRole('list', { name: 'Soon' }).getByRole('listitem');
    await expect.element(items.nth(0)).toHaveTextContent('2 days over the maximumDay 32 of 30');
    await expect.element(items.nth(1)).toHaveTextContent('Maximum stay reached');
    await expect.element(items.nth(2)).toHaveTextContent('1 day left');
    await screen.getByRole('link', { name: 'Zoe B.' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/guest/${S1}/z`);
  });
});

describe('the filters', () => {
  it('stand in the address, go to the server, and are cleared by one press', async () => {
    const { screen, asked } = await open();
    await screen.getByRole('combobox', { name: 'Service' }).selectOptions('Medical detox');
    await screen.getByRole('combobox', { name: 'Payer' }).selectOptions('Medicaid or Medi-Cal');
    await screen.getByRole('combobox', { name: 'Site' }).click();
    await screen.getByRole('option', { name: 'Bay House' }).click();
    await expect
      .poll(() => screen.router.state.location.search)
      .toEqual({ service: 'medical-detox', payer: 'MediCal', siteId: S2 });
    await expect
      .poll(() => Object.fromEntries(new URLSearchParams(asked.at(-1))))
      .toEqual({ service: 'medical-detox', payer: 'MediCal', siteId: S2 });
    await screen.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => screen.router.state.location.search).toEqual({});
    await expect.element(screen.getByRole('button', { name: 'Clear filters' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { name: 'Today', exact: true })).toHaveFocus();
  });

  it('are read from the address, and what makes no sense is left out', async () => {
    const { screen, asked } = await open(shift(), intake, `/today?siteId=nonsense&service=medical-detox&payer=%3Cb%3E`);
    await expect.element(screen.getByRole('combobox', { name: 'Service' })).toHaveValue('medical-detox');
    expect(asked).toEqual(['?service=medical-detox']);
  });

  it('say so when they leave nothing', async () => {
    const { screen } = await open(NOTHING, intake, '/today?service=medical-detox');
    await expect
      .element(screen.getByText('Some results are hidden by filters. Clear the filters to see everything.').first())
      .toBeVisible();
  });

  it('have no site for a user with one', async () => {
    serve(answerGet('/api/Sites', onePage([{ ...siteDetails([]), id: S1 }])));
    const { screen } = await open();
    await expect.element(screen.getByRole('combobox', { name: 'Service' })).toBeVisible();
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Site' }).elements()).toHaveLength(0);
  });
});

describe('the screen', () => {
  it('says what comes where nothing is there yet', async () => {
    const { screen } = await open(NOTHING);
    await expect.element(screen.getByText('Nothing needs a decision')).toBeVisible();
    await expect.element(screen.getByText('No sites yet')).toBeVisible();
    await expect.element(screen.getByText('No moves yet today.')).toBeVisible();
    await expect.element(screen.getByText('No stay ends soon.')).toBeVisible();
    await expectNoViolations();
  });

  it('says when it cannot be loaded, and tries again', async () => {
    serveToday({ today: shift() });
    let isBroken = true;
    serve(http.get('/api/Today', () => (isBroken ? problem(403, 'Not for you.') : undefined)));
    await loadTexts('today', 'reservations', 'guests', 'houses', 'catalog');
    const screen = await renderView(<Page />, { user: intake, path: '/today' });
    await expect.element(screen.getByText('Not for you.')).toBeVisible();
    isBroken = false;
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
  });

  it.each(['light', 'dark'] as const)('fits a phone, %s', async (scheme) => {
    await page.viewport(390, 844);
    writePreference('colorScheme', scheme);
    const { screen } = await open(shift({ moves: [move('moved')], soon: [stay('z', 'Zoe', 1)], soonTotal: 1 }));
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await expectNoViolations();
  });

  it('speaks Spanish', async () => {
    const { screen } = await open();
    await changeLanguage('es');
    await expect.element(screen.getByRole('heading', { name: 'Necesitan una decisión (3)' })).toBeVisible();
  });
});

describe('above the organizations', () => {
  const openList = async (
    user: User,
    type: 'organizations' | 'free-rehabs',
    size = { countOfPending: 12, siteCount: 20 },
  ) => {
    serve(answerGet('/api/Organizations', [organization('Bay', size)]));
    return renderView(
      <Suspense>
        <OrganizationsPage type={type} />
      </Suspense>,
      { user },
    );
  };
  const summary = () => page.getByRole('region', { name: 'Today', exact: true });
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => waiting(id, `Guest${id}`));

  it('shows five that wait, the way to all, and one line a site; the cards do not move when it arrives', async () => {
    let answer: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    serve(
      http.get('/api/Today', async () => {
        await arrived;
        return HttpResponse.json(shift({ waiting: six, waitingTotal: 12, sitesTotal: 20 }));
      }),
    );
    const screen = await openList(intake, 'organizations');
    const card = screen.getByRole('link', { name: 'Bay', exact: true });
    await expect.element(card).toBeInTheDocument();
    await expect.element(screen.getByText('Loading...')).toBeInTheDocument();
    const top = () => card.element().getBoundingClientRect().top;
    const before = top();
    answer();
    await expect.poll(() => rows().length).toBe(5);
    expect(top()).toBe(before);
    await expect.element(summary().getByText('5 available')).toBeVisible();
    await expectNoViolations();
    await summary().getByRole('link', { name: 'Show all 12' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/today');
  });

  it.each([1360, 1024, 390])('has room for what it shows at %i px', async (width) => {
    await page.viewport(width, 844);
    serveToday({
      today: shift({
        waiting: six,
        waitingTotal: 12,
        sites: six.map((_, index) => siteOf({ ...harbor, id: `s${index}`, name: `Site ${index}` }, 9, 4)),
        sitesTotal: 20,
      }),
    });
    const screen = await openList(intake, 'organizations');
    await expect.element(screen.getByRole('link', { name: 'Show all 20 sites' })).toBeVisible();
    const frame = summary().element();
    expect(frame.getBoundingClientRect().height).toBe(Number.parseFloat(getComputedStyle(frame).minHeight));
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  });

  it.each([1360, 390])('takes no more room than what is expected needs, at %i px', async (width) => {
    await page.viewport(width, 844);
    serveToday({ today: shift({ waiting: [anna], sites: [siteOf(harbor, 9, 1)], sitesTotal: 1 }) });
    const screen = await openList(intake, 'organizations', { countOfPending: 1, siteCount: 1 });
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
    const frame = summary().element();
    expect(frame.getBoundingClientRect().height).toBe(Number.parseFloat(getComputedStyle(frame).minHeight));
    expect(frame.getBoundingClientRect().height).toBeLessThan(300);
  });

  it('is decided on there, too', async () => {
    const world = { today: shift({ waiting: [anna, ben] }) };
    serveToday(world);
    serveUpdates(world, without);
    const screen = await openList(intake, 'organizations');
    await screen.getByRole('button', { name: 'Decline Anna B. ANNA' }).click();
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect.poll(names).toEqual(['Ben B.']);
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
  });

  it('goes on with the row that moves up, after the last of the five', async () => {
    const world = { today: shift({ waiting: six }) };
    serveToday(world);
    serveUpdates(world, without);
    const screen = await openList(intake, 'organizations');
    await screen.getByRole('button', { name: 'Decline Gueste B. E' }).click();
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect.element(screen.getByRole('button', { name: 'Accept Guestf B. F' })).toHaveFocus();
  });

  it('leaves the cards alone when it cannot be loaded', async () => {
    serve(http.get('/api/Today', () => problem(403, 'Not for you.')));
    const screen = await openList(intake, 'organizations');
    await expect.element(summary().or(screen.getByText('Not for you.'))).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Bay', exact: true })).toBeInTheDocument();
  });

  it('stands above the lists of the dashboard, which stay when it cannot be loaded', async () => {
    const world = { today: shift() };
    serveToday(world);
    serve(http.get('/api/Dashboard/users', () => HttpResponse.json({ items: [], totalCount: 0, totalPages: 0 })));
    const global = currentUser({ role_global: true });
    const view = <DashboardPage type="organizations" search={dashboardSearch.parse({})} lead={<TodaySummary />} />;
    const screen = await renderView(view, { user: global, path: '/dashboard' });
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toBeVisible();
    await expect.element(screen.getByRole('tab', { name: 'Sites' })).toBeVisible();
    serve(http.get('/api/Today', () => HttpResponse.json({ nonsense: true })));
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await expect.element(summary()).not.toBeInTheDocument();
    await expect.element(screen.getByRole('tab', { name: 'Sites' })).toBeVisible();
  });

  it('is not there for global admins, who have it above the dashboard', async () => {
    const screen = await openList(currentUser({ role_global: true }), 'free-rehabs');
    await expect.element(screen.getByRole('link', { name: 'Bay', exact: true })).toBeInTheDocument();
    expect(screen.getByText('Needs a decision').elements()).toHaveLength(0);
  });
});
