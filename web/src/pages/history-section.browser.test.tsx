import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import type { HistorySearch } from '@/features/history/history-search';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { printedSheets } from '@/testing/print';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { HistorySection } from './history-section';

const intake = currentUser({ role_intake_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });
const admin = currentUser({ role_admin_site_ids: 's1' });

beforeEach(() => page.viewport(1360, 900));
afterEach(() => {
  cleanNotifications();
  tellUserForgotten();
});

const ana = guest('ana', {
  status: 'accepted',
  acceptedAt: '2026-11-01T18:00:00.000Z',
  daysStayed: 91,
  phone: '+17145550111',
  email: 'ana@guests.example',
  location: 'Orange, CA',
  assignedBedId: 'a',
  room: { id: '1', name: 'House 1', imagePath: null },
  bed: { id: 'a', name: 'Bed a', type: 'Detox', index: 1, imagePath: null },
});
const gone = guest('gus', {
  firstName: 'Gus',
  displayName: 'Gus B. GUS',
  status: 'discharged',
  acceptedAt: '2026-10-01T18:00:00.000Z',
  dischargedAt: '2026-10-09T19:30:00.000Z',
  feedback: 'Went home.',
  daysStayed: 8,
});
const declined = guest('dot', {
  firstName: 'Dot',
  displayName: 'Dot B. DOT',
  status: 'rejected',
  rejectedAt: '2026-11-21T10:00:00.000Z',
});
const expired = guest('eve', {
  firstName: 'Eve',
  displayName: 'Eve B. EVE',
  status: 'expired',
  expiredAt: '2026-11-21T11:00:00.000Z',
});

/** Discharged an hour ago. */
const recent = guest('rex', {
  ...gone,
  id: 'rex',
  firstName: 'Rex',
  code: 'REX',
  displayName: 'Rex B. REX',
  dischargedAt: new Date(Date.now() - 3_600_000).toISOString(),
  version: 3,
});

const beds = (isFull = false) => [
  room('1', [bed('a', { guest: guestShort('ana') }), bed('b', isFull ? { disabled: true } : {})]),
];
const site = (fields: Partial<Schemas['SiteDetails']> = {}) =>
  siteDetails(beds(), { lengthOfStayDaysMax: 90, ...fields });

const START: HistorySearch = { accepted: 0, discharged: 0, declined: 0, expired: 0 };

interface Opening {
  user?: ReturnType<typeof currentUser>;
  of?: Schemas['SiteDetails'];
  search?: Partial<HistorySearch>;
  active?: Schemas['Guest'][];
  /** Those who have left. */
  left?: Schemas['Guest'][];
  patch?: () => Response;
}

/** The history with an address of its own; `asked` are the lists that the server was asked for. */
async function open({
  user = intake,
  of = site(),
  search = {},
  active: given = [ana],
  left = [recent, gone],
  patch = () => problem(501, 'No command.'),
}: Opening = {}) {
  const world = { asked: [] as string[], sent: [] as unknown[] };
  const active = [...given];
  const lists: Record<string, Schemas['Guest'][]> = {
    'accepted,reassigned': active,
    discharged: left,
    rejected: [declined],
    expired: [expired],
  };
  serve(
    http.get('/api/Guests', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const states = query.getAll('Status').join(',');
      if (states === '') return HttpResponse.json(onePage(active));
      const name = query.get('search');
      world.asked.push(`${states} ${query.get('page')}/${query.get('pageSize')}${name ? ` ${name}` : ''}`);
      const found = (lists[states] ?? []).filter(({ firstName }) => firstName.toLowerCase().includes(name ?? ''));
      return HttpResponse.json({ ...onePage(found), totalCount: found.length === 0 ? 0 : 12 });
    }),
    http.patch('/api/Guests/:id', async ({ request }) => {
      world.sent.push(await request.json());
      const answer = patch();
      const changed = (await answer.clone().json()) as Schemas['Guest'];
      const index = active.findIndex(({ id }) => id === changed.id);
      if (index >= 0) active.splice(index, 1, changed);
      return answer;
    }),
    ...[...left, declined, expired].map((one) => answerGet(`/api/Guests/${one.id}`, one)),
  );
  function Page() {
    const [state, setState] = useState<HistorySearch>({ ...START, ...search });
    return (
      <HistorySection
        site={of}
        search={state}
        onSearch={(changes) => setState((before) => ({ ...before, ...withDefaults(changes) }))}
      />
    );
  }
  const screen = await renderView(<Page />, { user });
  for (const name of ['Gus B.', 'Dot B.', 'Eve B.']) await expect.element(screen.getByText(name)).toBeVisible();
  await expect.element(screen.getByRole('table', { name: 'Accepted (active)' })).toBeVisible();
  return Object.assign(screen, { world });
}

/** As the router does it: what is undefined reads as its default. */
function withDefaults(changes: Partial<HistorySearch>): Partial<HistorySearch> {
  const filled = Object.entries(changes).map(([name, value]) => [name, value ?? START[name as keyof HistorySearch]]);
  return Object.fromEntries(filled) as Partial<HistorySearch>;
}

it('is printed list by list, with the rows that are shown and how many there are', async () => {
  const screen = await open();
  await expect.element(screen.getByText('Rex B. REX')).toBeVisible();
  const sheets = printedSheets();
  expect(sheets.map((sheet) => /^[^:]*/.exec(sheet)?.[0])).toEqual([
    'History, Accepted (active)',
    'History, Discharged',
    'History, Declined',
    'History, Expired',
  ]);
  expect(sheets[1]).toMatch(/Harbor House.*of 12.*Time in.*Time out.*Rex B. REX/);
});

it('has one page size and the same columns in its four lists, also for who comes back', async () => {
  const columns = () =>
    screen
      .getByRole('columnheader', { name: 'Gender' })
      .elements()
      .map((heading) => heading.textContent);
  let screen = await open();
  expect(columns()).toHaveLength(4);
  const declinedList = screen.getByRole('region', { name: /^Declined/ }).first();
  await declinedList.getByRole('combobox', { name: 'Rows per page' }).selectOptions('10');
  await expect.poll(() => screen.world.asked.filter((asked) => asked.endsWith(' 1/10'))).toHaveLength(4);
  await declinedList.getByRole('button', { name: 'Columns' }).click();
  await screen.getByRole('menuitemcheckbox', { name: 'Gender' }).click();
  await expect.poll(columns).toEqual([]);
  expect(printedSheets().every((sheet) => sheet.includes('Gender'))).toBe(true);
  await screen.unmount();

  screen = await open();
  expect(screen.world.asked).toHaveLength(4);
  expect(screen.world.asked.every((asked) => asked.endsWith(' 1/10'))).toBe(true);
  expect(columns()).toEqual([]);
});

it('shows four tables with their columns, times in the time zone of the site', async () => {
  const screen = await open();
  const headings = screen.getByRole('heading', { level: 2 }).elements();
  expect(headings.map(({ firstChild }) => firstChild?.textContent)).toEqual([
    'Accepted (active)',
    'Discharged',
    'Declined',
    'Expired',
  ]);
  const columnsOf = (name: string) =>
    screen
      .getByRole('table', { name, exact: true })
      .getByRole('columnheader')
      .elements()
      .map((header) => header.textContent);
  const columns = (out: string) => ['Time in', out, 'Services needed', 'Name', 'Feedback', 'Gender'];
  expect(columnsOf('Accepted (active)')).toEqual(columns('Time out'));
  expect(columnsOf('Discharged')).toEqual(columns('Time out'));
  expect(columnsOf('Declined')).toEqual(columns('Time Declined'));
  expect(columnsOf('Expired')).toEqual(columns('Time Expired'));
  const row = screen.getByRole('table', { name: 'Discharged' }).getByRole('row').last();
  await expect
    .element(row)
    .toHaveTextContent(/Oct 1, 2026, 11:00 AM PDT.*Oct 9, 2026, 12:30 PM PDT.*Went home\.Female/);
  await expectNoViolations();
});

it('asks for pages, and for a name in all four lists from their first pages', async () => {
  const screen = await open({ search: { discharged: 1 } });
  const pages = (name = '', discharged = 1) =>
    [`accepted,reassigned 1/5`, `discharged ${discharged}/5`, 'rejected 1/5', 'expired 1/5'].map((text) => text + name);
  expect([...screen.world.asked].sort()).toEqual(pages('', 2).sort());
  const search = screen.getByRole('textbox', { name: 'Search Guest First Name...' });
  await search.click();
  await userEvent.keyboard('gus');
  await expect.element(screen.getByText('No one in this list has this name').first()).toBeVisible();
  await expect.element(search).toHaveValue('gus');
  expect(
    screen.world.asked
      .slice(4)
      .filter((text) => text.endsWith(' gus'))
      .sort(),
  ).toEqual(pages(' gus').sort());
});

it('opens the side panel of a guest who is here, with the days in red and in words above the longest stay', async () => {
  const screen = await open();
  await screen.getByRole('button', { name: 'Ana ANA' }).click();
  const panel = screen.getByRole('dialog', { name: 'Guest ANA' });
  for (const fact of ['ANA', 'Female', '(714) 555-0111', 'ana@guests.example', 'Orange, CA']) {
    await expect.element(panel.getByText(fact, { exact: false }).first()).toBeVisible();
  }
  await expect.element(panel.getByText('91 Days – over the maximum of 90 days')).toBeVisible();
  await expect.element(panel.getByRole('textbox', { name: 'Feedback' })).toBeVisible();
  await expectNoViolations();
});

it('leaves days at or below the longest stay as they are, and all days where there is no limit', async () => {
  for (const days of [91, null]) {
    const screen = await open({ of: site({ lengthOfStayDaysMax: days }), search: { panel: 'ana' } });
    await expect.element(screen.getByRole('dialog').getByText('91 Days', { exact: true })).toBeVisible();
    await screen.unmount();
  }
});

it('reassigns to the vacant bed that is pressed, from the panel', async () => {
  const screen = await open({
    search: { panel: 'ana' },
    patch: () =>
      HttpResponse.json({
        ...ana,
        status: 'reassigned',
        version: 2,
        assignedBedId: 'b',
        room: { id: '1', name: 'House 1', imagePath: null },
        bed: { id: 'b', name: 'Bed b', type: 'Detox', index: 0, imagePath: null },
      }),
  });
  await screen.getByRole('button', { name: 'Reassign' }).click();
  const vacant = screen.getByRole('dialog').getByRole('listitem');
  expect(vacant.elements()).toHaveLength(1);
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Bed b, House 1, Detox' }).dblClick();
  await expect.element(screen.getByText('Ana B. is now in House 1 / Bed b.')).toBeVisible();
  expect(screen.world.sent).toEqual([{ id: 'ana', status: 'REASSIGNED', bedId: 'b', version: 1 }]);
  await expect.element(screen.getByRole('button', { name: 'Discharge' })).toBeVisible();
});

it('says that assigning the bed failed, and why', async () => {
  const screen = await open({ search: { panel: 'ana' }, patch: () => problem(409, 'This bed was just taken.') });
  await screen.getByRole('button', { name: 'Reassign' }).click();
  await screen.getByRole('button', { name: 'Bed b, House 1, Detox' }).click();
  const alert = screen.getByRole('alert');
  await expect.element(alert).toHaveTextContent('An error occured while assigning the bed.This bed was just taken.');
});

it('offers no other bed where none is vacant', async () => {
  const screen = await open({ of: siteDetails(beds(true)), search: { panel: 'ana' } });
  const button = screen.getByRole('button', { name: 'No beds' });
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button).toHaveAccessibleDescription('Every bed of this site is occupied or disabled.');
  (button.element() as HTMLElement).click();
  await expect.element(screen.getByRole('textbox', { name: 'Feedback' })).toBeVisible();
});

it('assigns or declines a guest who still waits', async () => {
  const wes = guest('wes', { firstName: 'Wes', displayName: 'Wes B. WES' });
  const placed = { ...wes, status: 'accepted' as const, version: 2, assignedBedId: 'b' };
  const screen = await open({
    active: [wes],
    search: { panel: 'wes' },
    patch: () => HttpResponse.json(placed),
  });
  await expect.element(screen.getByRole('button', { name: 'Decline' })).toBeVisible();
  await screen.getByRole('button', { name: 'Assign', exact: true }).click();
  await screen.getByRole('button', { name: 'Bed b, House 1, Detox' }).click();
  await expect.poll(() => screen.world.sent).toEqual([{ id: 'wes', status: 'ACCEPTED', bedId: 'b', version: 1 }]);
  await expect.element(screen.getByRole('button', { name: 'Discharge' })).toBeVisible();
});

it('discharges with the feedback of the panel, after a question', async () => {
  const screen = await open({
    search: { panel: 'ana' },
    patch: () => HttpResponse.json({ ...ana, status: 'discharged', version: 2, room: null, bed: null }),
  });
  await screen.getByRole('textbox', { name: 'Feedback' }).fill('  Did well.  ');
  await screen.getByRole('button', { name: 'Discharge' }).click();
  const question = screen.getByRole('dialog', { name: 'Discharge Ana B.?' });
  await expect.element(question.getByText('Feedback: Did well.')).toBeVisible();
  expect(question.getByRole('textbox').elements()).toEqual([]);
  await question.getByRole('button', { name: 'Discharge' }).click();
  await expect.element(screen.getByText('Ana B. was discharged. House 1 / Bed a is now vacant.')).toBeVisible();
  expect(screen.world.sent).toEqual([
    { id: 'ana', status: 'DISCHARGED', bedId: null, version: 1, feedback: 'Did well.' },
  ]);
  await expect.poll(() => screen.getByRole('dialog').elements()).toEqual([]);
});

it('asks before feedback that was typed is lost', async () => {
  const screen = await open({ search: { panel: 'ana' } });
  await screen.getByRole('textbox', { name: 'Feedback' }).fill('Did well.');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible();
});

it('opens the details of any other guest, with nothing to decide', async () => {
  const screen = await open();
  await screen.getByRole('button', { name: 'Gus B. GUS' }).click();
  const details = screen.getByRole('dialog', { name: 'Guest GUS' });
  await expect.element(details.getByText('Went home.')).toBeVisible();
  await expect.element(details.getByText('8 Days')).toBeVisible();
  const buttons = details.getByRole('button').elements();
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Close']);
  await expectNoViolations();
});

const absent = guest('noa', {
  ...gone,
  id: 'noa',
  firstName: 'Noa',
  code: 'NOA',
  displayName: 'Noa B. NOA',
  noShowAt: gone.dischargedAt,
  feedback: 'Called off.',
  daysStayed: 1,
});

it('names a no-show in the list and in the details: nobody came in, no day was stayed, and there is a reason', async () => {
  const screen = await open({ left: [absent, gone] });
  const row = screen.getByRole('table', { name: 'Discharged' }).getByRole('row').nth(1);
  await expect.element(row).toHaveTextContent(/^–Oct 9, 2026, 12:30 PM PDT.*Noa B. NOANo show: Called off\./);
  await screen.getByRole('button', { name: 'Noa B. NOA' }).click();
  const details = screen.getByRole('dialog', { name: 'Guest NOA' });
  await expect.element(details.getByText('Called off.')).toBeVisible();
  const facts = Object.fromEntries(
    [...details.element().querySelectorAll('dt')].map((label) => [
      label.textContent,
      label.nextElementSibling?.textContent,
    ]),
  );
  expect(facts).toMatchObject({ 'No show': 'Oct 9, 2026, 12:30 PM PDT', Reason: 'Called off.' });
  expect(Object.keys(facts)).not.toContain('Feedback');
  expect(Object.keys(facts)).not.toContain('Days stayed');
});

it('the panel of a guest who did not come tells no days, and the reason', async () => {
  const screen = await open({ search: { panel: 'noa' }, active: [ana, absent] });
  const panel = screen.getByRole('dialog');
  await expect.element(panel.getByText('No show', { exact: true }).first()).toBeVisible();
  await expect.element(panel.getByText('Reason', { exact: true })).toBeVisible();
  await expect.element(panel.getByText('Days stayed')).not.toBeInTheDocument();
  await expect.element(panel.getByText('Feedback', { exact: true })).not.toBeInTheDocument();
});

it('shows all of a long reason and feedback on the cards of a phone', async () => {
  const feedback = 'Found a place closer to home, and called twice to say so. '.repeat(4).trim();
  const long = { ...gone, reasonName: 'Averyveryverylongreasonwithoutanyspaceinsideit', feedback };
  const screen = await open({ left: [long] });
  await page.viewport(390, 844);
  const text = screen.getByText(`${long.reasonName}: ${feedback}`, { exact: true }).last();
  await expect.element(text).toBeVisible();
  await expect.poll(() => text.element().closest('dd')).not.toBeNull();
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = text.element();
  expect([scrollHeight, scrollWidth]).toEqual([clientHeight, clientWidth]);
});

it('undoes a discharge of the last day from its details, by an admin', async () => {
  const { room: house, bed: itsBed } = ana;
  const screen = await open({
    user: admin,
    patch: () => HttpResponse.json({ ...recent, status: 'accepted', version: 4, room: house, bed: itsBed }),
  });
  await screen.getByRole('button', { name: 'Gus B. GUS' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Guest GUS' }).getByText('8 Days')).toBeVisible();
  expect(screen.getByRole('button', { name: /Undo/ }).elements()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await screen.getByRole('button', { name: 'Rex B. REX' }).click();
  const undo = screen.getByRole('dialog', { name: 'Guest REX' }).getByRole('button', { name: 'Undo discharge' });
  await expect.element(undo).toBeVisible();
  await expectNoViolations();
  await undo.click();
  await expect.element(screen.getByText('Rex B. is back in House 1 / Bed a.')).toBeVisible();
  expect(screen.world.sent).toEqual([{ id: 'rex', status: 'UNDO', bedId: null, version: 3 }]);
});

it('says in the details why a discharge cannot be undone, and offers no undo to intake', async () => {
  const reason = "The guest's bed has been given to another guest. Add this guest again.";
  const screen = await open({
    user: admin,
    search: { guest: 'rex' },
    patch: () => problem(409, reason, { guest: recent }),
  });
  const details = screen.getByRole('dialog', { name: 'Guest REX' });
  await details.getByRole('button', { name: 'Undo discharge' }).click();
  await expect.element(details.getByRole('alert')).toHaveTextContent(reason);
  await screen.unmount();
  const other = await open({ search: { guest: 'rex' } });
  await expect.element(other.getByRole('dialog', { name: 'Guest REX' }).getByText('8 Days')).toBeVisible();
  expect(other.getByRole('button', { name: /Undo/ }).elements()).toEqual([]);
});

it('shows staff the details in place of the panel', async () => {
  const screen = await open({ user: staff, search: { panel: 'ana' } });
  const dialog = screen.getByRole('dialog', { name: 'Guest ANA' });
  await expect.element(dialog).toBeVisible();
  expect(dialog.getByRole('textbox').elements()).toEqual([]);
  expect(dialog.getByRole('button').elements()).toHaveLength(1);
});

it('the panel of a guest who is arriving offers both answers, and says when the guest leaves', async () => {
  const arriving = { ...ana, isArriving: true, expectedDeparture: '2099-12-01' };
  const screen = await open({
    of: site({ asksArrival: true }),
    search: { panel: 'ana' },
    active: [arriving],
    patch: () => HttpResponse.json({ ...arriving, isArriving: false, version: 2 }),
  });
  const panel = screen.getByRole('dialog');
  await expect.element(panel.getByText('Arriving')).toBeVisible();
  await expect.element(panel.getByText('Leaves Dec 1')).toBeVisible();
  await expect.element(panel.getByRole('button', { name: /^No show/ })).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Discharge' })).not.toBeInTheDocument();
  await expectNoViolations();
  await panel.getByRole('button', { name: /^Arrived/ }).click();
  await expect.element(screen.getByText('Ana B. has arrived.')).toBeVisible();
  expect(screen.world.sent).toMatchObject([{ status: 'ARRIVED', version: 1 }]);
  await expect.element(panel.getByRole('button', { name: 'Discharge' })).toBeVisible();
});
