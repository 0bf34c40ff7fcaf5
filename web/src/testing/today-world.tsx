/** A shift at Harbor House and Bay House, as the server tells it, for the tests of Today. */
import { cleanNotifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { page } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { KeptFocus } from '@/features/shell/components/kept-focus';
import { todaySearch } from '@/features/today/today-search';
import { changeLanguage, loadTexts } from '@/i18n/i18n';
import { serverNow } from '@/lib/clock';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { guest, service, siteDetails } from '@/testing/bed-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, serve } from '@/testing/server';
import { TodayPage } from '@/pages/today-page';

export type User = ReturnType<typeof currentUser>;

export const S1 = '0190a000-0000-7000-8000-0000000000a1';
export const S2 = '0190a000-0000-7000-8000-0000000000a2';
export const harbor: Schemas['TodayPlace'] = {
  id: S1,
  name: 'Harbor House',
  organizationId: 'o1',
  isCommercial: false,
  timeZone: 'America/Los_Angeles',
};
export const bay: Schemas['TodayPlace'] = { ...harbor, id: S2, name: 'Bay House', timeZone: 'America/New_York' };
export const intake = currentUser({ role_intake_site_ids: `${S1},${S2}` });
export const staff = currentUser({ role_staff_site_ids: `${S1},${S2}` });
export const admin = currentUser({ role_admin_site_ids: `${S1},${S2}` });

export const inMinutes = (minutes: number) => new Date(serverNow() + minutes * 60_000).toISOString();

export function waiting(
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

export function siteOf(place: Schemas['TodayPlace'], vacant: number, held: number): Schemas['TodaySite'] {
  const available = Math.max(0, vacant - held);
  const counts = {
    rooms: 1,
    beds: 20,
    vacant,
    occupied: 3,
    disabled: 0,
    pending: held,
    guests: 3,
    available,
    offered: 0,
  };
  return {
    ...place,
    organizationName: 'Harbor Recovery',
    roles: ['Intake'],
    counts,
    waiting: 0,
    offers: 0,
    offeredAt: null,
    free: [
      { type: 'Detox', beds: 12, vacant, available: Math.min(vacant, available) },
      { type: 'Sober Living', beds: 8, vacant: 0, available: 0 },
    ],
  };
}

export function move(
  kind: Schemas['TodayMove']['kind'],
  fields: Partial<Schemas['TodayMove']> = {},
): Schemas['TodayMove'] {
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

export const stay = (id: string, firstName: string, daysLeft: number): Schemas['TodayStay'] => ({
  guest: waiting(id, firstName, { status: 'accepted', daysStayed: 30 - daysLeft }).guest,
  site: harbor,
  maximumStayDays: 30,
  daysLeft,
});

export const anna = waiting('anna', 'Anna', {
  phone: '+17145550134',
  expiresAt: inMinutes(20),
  age: service('age-18-26', '18 to 26', 'Age'),
  services: [service('medical-detox', 'Medical detox', 'General')],
  mediCalChoice: { id: 'moc', name: 'Medi-Cal Orange County' },
});
export const ben = waiting('ben', 'Ben', {}, bay);
export const cora = waiting('cora', 'Cora', { expiresAt: null });

/** What the server has of the shift. Decisions in a test change it, as they do there. */
export function shift(fields: Partial<Schemas['Today']> = {}): Schemas['Today'] {
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

export const NOTHING = shift({ waiting: [], waitingTotal: 0, sites: [], sitesTotal: 0 });

/** Before each test: a wide window, and answers to what every screen asks for. */
export async function setUpToday() {
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
}

/** After each test. */
export async function tearDownToday() {
  cleanNotifications();
  tellUserForgotten();
  writePreference('colorScheme', 'light');
  await changeLanguage('en');
}

export const groups: Schemas['ServiceGroups'] = {
  age: [],
  gender: [],
  client: [],
  general: [service('medical-detox', 'Medical detox', 'General')],
  disability: [],
};

export function Page() {
  return (
    <Suspense>
      <KeptFocus />
      <main>
        <TodayPage search={todaySearch.parse(useLocation().search)} />
      </main>
    </Suspense>
  );
}

/** Answers Today from `world`, which a test may change; `asked` are the questions. */
export function serveToday(world: { today: Schemas['Today'] }) {
  const asked: string[] = [];
  serve(
    http.get('/api/Today', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(world.today);
    }),
  );
  return asked;
}

/** From now on, Today is answered only when the returned function has been called. */
export function holdToday(today: Schemas['Today']): () => void {
  let load = () => undefined as void;
  const asked = new Promise<void>((resolve) => (load = resolve));
  serve(
    http.get('/api/Today', async () => {
      await asked;
      return HttpResponse.json(today);
    }),
  );
  return () => load();
}

export async function open(today: Schemas['Today'] = shift(), user: User = intake, path = '/today') {
  const world = { today };
  const asked = serveToday(world);
  await loadTexts('today', 'reservations', 'guests', 'houses', 'catalog');
  const screen = await renderView(<Page />, { user, path });
  return { screen, world, asked };
}

const placeIn = (bedId: string): Pick<Schemas['Guest'], 'room' | 'bed'> => ({
  room: { id: '1', name: 'House 1', imagePath: null },
  bed: { id: bedId, name: `Bed ${bedId}`, type: 'Detox', index: 0, imagePath: null },
});

/** Answers changes of guests: `decide` says what becomes of the shift. */
export function serveUpdates(
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
      const place = update.bedId ? placeIn(update.bedId) : { room: null, bed: null };
      return HttpResponse.json({ ...(known ?? anna.guest), ...place, status, version: 2 });
    }),
  );
  return sent;
}

export const without = (today: Schemas['Today'], id: string): Schemas['Today'] => {
  const rows = today.waiting.filter((entry) => entry.guest.id !== id);
  return { ...today, waiting: rows, waitingTotal: rows.length };
};

export const rows = () =>
  page
    .getByRole('list', { name: /^Needs a decision/ })
    .getByRole('listitem')
    .elements() as HTMLElement[];
export const marked = () => rows().flatMap((row) => ('new' in row.dataset ? row.querySelector('a')?.textContent : []));
export const names = () => rows().map((row) => row.querySelector('a')?.textContent);

/** A guest who is expected in a bed, and has not arrived. */
export function arriving(id: string, firstName: string) {
  const place = { room: { id: 'r', name: 'House 2', imagePath: null } };
  const bedOf = { id: 'b', name: 'Bed b', type: 'Detox', index: 0, imagePath: null } as const;
  const fields = { status: 'accepted', isArriving: true, assignedBedId: 'b', bed: bedOf, ...place } as const;
  return waiting(id, firstName, fields);
}
