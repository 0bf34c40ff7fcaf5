import { cleanNotifications } from '@mantine/notifications';
import { type RouterHistory, useLocation } from '@tanstack/react-router';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { serverNow } from '@/lib/clock';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, service, siteDetails } from '@/testing/bed-builders';
import { browserHistory } from '@/testing/browser-history';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { RequestPage } from './request-page';
import { SiteReservationsPage } from './site-reservations-page';

beforeEach(() => page.viewport(1360, 900));
afterEach(() => {
  cleanNotifications();
  tellUserForgotten();
  writePreference('colorScheme', 'light');
});

const intake = currentUser({ role_intake_site_ids: 's1' });
const admin = currentUser({ role_admin_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });
const bedOfAna = { id: 'a', name: 'Bed a', type: 'Detox', index: 0, imagePath: null } as const;
const ana = guest('ana', {
  status: 'accepted',
  assignedBedId: 'a',
  phone: '+17145550134',
  room: { id: '1', name: 'House 1', imagePath: null },
  bed: bedOfAna,
});
const dora = guestShort('dora', { displayName: 'Dora D.' });
const paul = guest('paul', {
  displayName: 'Paul PAUL',
  services: [service('medical-detox', 'Medical detox', 'General')],
});
const broken = bed('c', { disabled: true, disabledReason: 'Painting' });
const dirty = bed('d', { disabled: true, disabledKind: 'cleaning', expectedBack: '2026-11-01', isOverdue: true });

type PageSearch = Parameters<typeof SiteReservationsPage>[0]['search'];

function Page() {
  const location = useLocation();
  const given = location.search as Partial<PageSearch>;
  const isMove = location.pathname === '/reservations-request/ana';
  const search: PageSearch = { page: 0, direction: 'asc', tab: 'overview', ...given };
  return (
    <Suspense>{isMove ? <RequestPage guestId="ana" /> : <SiteReservationsPage siteId="s1" search={search} />}</Suspense>
  );
}

interface OpenOptions {
  user?: typeof intake;
  refusal?: () => Response;
  /** Ana has not come yet. */
  isArriving?: boolean;
  /** Who waits besides Paul. */
  others?: readonly Schemas['Guest'][];
  /** Whom the house is for, at a strict site. */
  meantFor?: string[];
  /** The history of the browser in place of one in memory. */
  history?: RouterHistory;
}

/** The houses of a site; what is changed is recorded and shown by the next loading. */
async function openHouses({ user = intake, refusal, isArriving = false, ...given }: OpenOptions = {}) {
  const { others = [], meantFor = [], ...options } = given;
  const sent: Schemas['GuestUpdate'][] = [];
  const saved: Schemas['BedEdit'][] = [];
  let holder: Schemas['GuestShort'] | null = guestShort('ana');
  /** Who is in bed b. */
  let neighbor: Schemas['Guest'] | null = null;
  let hasArrived = false;
  let waiting = [paul, ...others];
  const site = () =>
    siteDetails(
      [room('1', [bed('a', { guest: holder }), bed('b', { guest: neighbor }), broken, dirty], { meantFor })],
      {
        isCommercial: false,
        strictPlacement: meantFor.length > 0,
      },
    );
  serve(
    http.get('/api/Sites/s1', () => HttpResponse.json(site())),
    http.get('/api/Guests', () =>
      HttpResponse.json(
        onePage([
          ...(holder ? [{ ...ana, ...holder, isArriving: isArriving && !hasArrived }] : []),
          ...(neighbor ? [neighbor] : []),
          ...waiting.filter(({ id }) => id !== neighbor?.id),
        ]),
      ),
    ),
    answerGet('/api/Guests/ana', ana),
    ...['paul', 'dora'].map((guestId) =>
      http.get(`/api/Guests/${guestId}/timeline`, () => HttpResponse.json({ guestId, events: [] })),
    ),
    answerGet('/api/Guests/ana/timeline', {
      guestId: 'ana',
      events: [
        {
          kind: 'accepted',
          at: '2026-11-01T10:00:00.000Z',
          by: 'Tom Becker',
          isYou: false,
          roomName: 'House 1',
          bedName: 'Bed a',
          feedback: null,
          heldUntil: null,
        },
      ],
    }),
    http.patch<{ id: string }, Schemas['GuestUpdate']>('/api/Guests/:id', async ({ request, params }) => {
      const update = await request.json();
      sent.push(update);
      if (refusal) return refusal();
      if (update.status === 'ARRIVED') {
        hasArrived = true;
        return HttpResponse.json({ ...ana, ...holder, isArriving: false, version: 2 });
      }
      const version = (update.version ?? 0) + 1;
      if (update.status === 'UNDO') {
        if (params.id === 'ana') holder = guestShort('ana', { version });
        else neighbor = null;
        return HttpResponse.json({ ...(params.id === 'ana' ? ana : paul), version });
      }
      if (update.status === 'SWAP') {
        holder = dora;
        neighbor = { ...ana, status: 'reassigned', assignedBedId: 'b', version };
        return HttpResponse.json(neighbor);
      }
      if (params.id === 'ana') holder = null;
      const of = params.id === 'ana' ? ana : paul;
      const places = { ACCEPTED: 'accepted', REASSIGNED: 'reassigned' } as const;
      const status =
        update.status === 'ACCEPTED' || update.status === 'REASSIGNED' ? places[update.status] : 'discharged';
      const place = { assignedBedId: 'b', room: ana.room, bed: { ...bedOfAna, id: 'b', name: 'Bed b' } };
      const changed: Schemas['Guest'] = { ...of, ...place, status, version };
      if (status !== 'discharged') neighbor = changed;
      return HttpResponse.json(changed);
    }),
    http.put<{ id: string }, Schemas['BedEdit']>('/api/Beds/:id', async ({ request }) => {
      const edit = await request.json();
      saved.push(edit);
      return HttpResponse.json({ ...broken, ...edit });
    }),
  );
  const screen = await renderView(<Page />, { user, ...options });
  await expect.element(screen.getByText('Bed b')).toBeVisible();
  const open = async (name: string) => {
    await screen.getByRole('button', { name: `Open Bed ${name}, House 1` }).click();
    const panel = screen.getByRole('dialog', { name: `Bed ${name}, House 1` });
    await expect.element(panel).toBeVisible();
    return panel;
  };
  /** Somebody else discharges Ana. */
  const leave = () => {
    holder = null;
  };
  /** Somebody else takes the user's own discharge back. */
  const comeBack = () => {
    holder = guestShort('ana', { version: 3 });
  };
  /** Somebody else puts Dora into Ana's bed. */
  const swap = () => {
    holder = dora;
  };
  /** Somebody else gives Paul another bed. */
  const acceptPaul = () => {
    waiting = others as typeof waiting;
  };
  return { screen, sent, saved, open, leave, comeBack, swap, acceptPaul };
}

type Houses = Awaited<ReturnType<typeof openHouses>>;

/** The panel says that Ana has left, and offers the bed to nobody yet. */
async function expectToldThatAnaLeft(screen: Houses['screen'], panel: Awaited<ReturnType<Houses['open']>>) {
  await screen.queryClient.refetchQueries();
  await expect
    .element(panel.getByRole('alert'))
    .toHaveTextContent('This has changed: Ana ANA is no longer in this bed.');
  expect(panel.getByRole('button', { name: /^Place/ }).elements()).toHaveLength(0);
}

describe('the panel of an occupied bed', () => {
  it('tells who is in it and what happened, and is an address of its own', async () => {
    const { screen, open } = await openHouses();
    const panel = await open('a');
    expect(screen.router.state.location.search).toMatchObject({ bed: 'a' });
    await expect.element(panel.getByRole('heading', { name: 'Ana B.' })).toBeVisible();
    await expect.element(panel.getByRole('link', { name: '+1 (714) 555-0134' })).toBeVisible();
    await expect.element(panel.getByText('Accepted into House 1 / Bed a')).toBeVisible();
    await expectNoViolations();
    await userEvent.keyboard('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Open Bed a, House 1' })).toHaveFocus();
  });

  it('moves the guest on the page of the beds, and then offers the bed to those who wait', async () => {
    const { screen, sent, open } = await openHouses();
    await (await open('a')).getByRole('button', { name: 'Move', exact: true }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations-request/ana');
    await screen.getByRole('radio', { name: /^Bed b/ }).click();
    await screen.getByRole('button', { name: 'Reassign to this bed' }).click();
    await expect.poll(() => sent).toMatchObject([{ id: 'ana', status: 'REASSIGNED', bedId: 'b' }]);
    const panel = screen.getByRole('dialog', { name: 'Bed a, House 1' });
    await expect.element(panel.getByRole('button', { name: 'Place Paul PAUL in Bed a' })).toBeVisible();
    expect(panel.getByRole('alert').elements()).toEqual([]);
  });

  it('says nothing of a guest who leaves because the user takes back that they were placed', async () => {
    const { screen, sent, open } = await openHouses();
    await (await open('b')).getByRole('button', { name: 'Place Paul PAUL in Bed b' }).click();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    const panel = await open('b');
    await expect.element(panel.getByRole('button', { name: 'Move', exact: true })).toBeVisible();
    await screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => sent).toMatchObject([{ status: 'ACCEPTED' }, { id: 'paul', status: 'UNDO' }]);
    await expect.element(panel.getByRole('button', { name: 'Place Paul PAUL in Bed b' })).toBeVisible();
    expect(panel.getByRole('alert').elements()).toEqual([]);
  });

  it('discharges after a question, and then offers the bed to those who wait', async () => {
    const { screen, sent, open } = await openHouses();
    const panel = await open('a');
    await panel.getByRole('button', { name: 'Discharge' }).click();
    await screen.getByRole('dialog', { name: 'Discharge Ana B.?' }).getByRole('button', { name: 'Discharge' }).click();
    await expect.poll(() => sent.map(({ status }) => status)).toEqual(['DISCHARGED']);
    await expect.element(panel.getByRole('button', { name: 'Place Paul PAUL in Bed a' })).toBeVisible();
  });

  it('holds back a press on those who wait, when they come in place of the buttons of the guest', async () => {
    const { screen, open } = await openHouses();
    const panel = await open('a');
    await panel.getByRole('button', { name: 'Discharge' }).click();
    const animate = vi.spyOn(Element.prototype, 'animate');
    await screen.getByRole('dialog', { name: 'Discharge Ana B.?' }).getByRole('button', { name: 'Discharge' }).click();
    const row = panel.getByRole('listitem').filter({ hasText: 'Paul PAUL' });
    await expect.element(row).toBeVisible();
    const held = animate.mock.contexts.filter((_, index) => animate.mock.calls[index]?.[1] === 700);
    animate.mockRestore();
    expect(held).toEqual([row.element()]);
  });

  it('says that others have discharged the guest, whose discharge the user has taken back before', async () => {
    const { screen, open, leave } = await openHouses();
    const panel = await open('a');
    await panel.getByRole('button', { name: 'Discharge' }).click();
    await screen.getByRole('dialog', { name: 'Discharge Ana B.?' }).getByRole('button', { name: 'Discharge' }).click();
    await expect.element(panel.getByRole('button', { name: 'Place Paul PAUL in Bed a' })).toBeVisible();
    await screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.element(panel.getByRole('button', { name: 'Move', exact: true })).toBeVisible();
    leave();
    await expectToldThatAnaLeft(screen, panel);
  });

  it('shows the guest with whom the user swaps at once', async () => {
    const { screen, open } = await openHouses();
    const panel = await open('a');
    await expect.element(panel.getByRole('button', { name: 'Move', exact: true })).toBeVisible();
    // As the message of a swap on the board does when it is taken back.
    await guestCommands.send({ guestId: 'ana', siteId: 's1', status: 'SWAP', bedId: 'b', version: 1 });
    await screen.queryClient.refetchQueries();
    await expect.element(panel.getByText('Dora D.').first()).toBeVisible();
    await expect.element(panel.getByRole('button', { name: 'Move', exact: true })).toBeVisible();
    expect(panel.getByRole('alert').elements()).toEqual([]);
  });

  it('says that others have brought the guest back whom the user has discharged, and discharged them again', async () => {
    const { screen, open, leave, comeBack } = await openHouses();
    const panel = await open('a');
    await panel.getByRole('button', { name: 'Discharge' }).click();
    await screen.getByRole('dialog', { name: 'Discharge Ana B.?' }).getByRole('button', { name: 'Discharge' }).click();
    await expect.element(panel.getByRole('button', { name: 'Place Paul PAUL in Bed a' })).toBeVisible();
    comeBack();
    await screen.queryClient.refetchQueries();
    await panel.getByRole('button', { name: 'Show Ana ANA' }).click();
    await expect.element(panel.getByRole('button', { name: 'Move', exact: true })).toBeVisible();
    leave();
    await expectToldThatAnaLeft(screen, panel);
  });

  it('keeps its question, and what is typed there, when the guest leaves meanwhile', async () => {
    const { screen, open, leave } = await openHouses();
    const panel = await open('a');
    await panel.getByRole('button', { name: 'Discharge' }).click();
    const question = screen.getByRole('dialog', { name: 'Discharge Ana B.?' });
    const feedback = question.getByRole('textbox', { name: /Feedback/ });
    await feedback.fill('Went');
    leave();
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
    await expect.element(panel.getByText('Ana ANA is no longer in this bed.', { exact: false })).toBeInTheDocument();
    await expect.element(feedback).toHaveValue('Went');
    await expect.element(feedback).toHaveFocus();
  });

  it('is closed by the Back after the one that closes a question of it, which asks before it loses the feedback', async () => {
    const { screen, sent, open } = await openHouses({ history: browserHistory('/today', '/site') });
    const panel = await open('a');
    await panel.getByRole('button', { name: 'Discharge' }).click();
    const question = screen.getByRole('dialog', { name: 'Discharge Ana B.?' });
    const feedback = question.getByRole('textbox', { name: /Feedback/ });
    await feedback.fill('Called twice');
    window.history.back();
    await screen.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(feedback).toHaveValue('Called twice');
    await expect.element(screen.getByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument();
    window.history.back();
    await screen.getByRole('button', { name: 'Discard' }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(panel).toBeVisible();
    window.history.back();
    await expect.element(panel).not.toBeInTheDocument();
    await expect.poll(() => window.location.pathname + window.location.search).toBe('/site');
    expect(sent).toEqual([]);
  });

  it('asks about an arriving guest whether they came, in place of a discharge', async () => {
    const { screen, sent, open } = await openHouses({ isArriving: true });
    const panel = await open('a');
    await expect.element(panel.getByRole('button', { name: /^Arrived/ })).toBeVisible();
    expect(panel.getByRole('button', { name: 'Discharge' }).elements()).toHaveLength(0);
    await panel.getByRole('button', { name: /^No show/ }).click();
    await screen
      .getByRole('dialog', { name: /as a no-show/ })
      .getByRole('button', { name: 'No show' })
      .click();
    await expect.poll(() => sent).toMatchObject([{ status: 'NO_SHOW' }]);
  });

  it('never gives the buttons of one guest to another, whom somebody else puts into the bed', async () => {
    const { screen, sent, open, swap } = await openHouses({ isArriving: true });
    const panel = await open('a');
    await expect.element(panel.getByRole('button', { name: /^Arrived/ })).toBeVisible();
    (panel.getByRole('button', { name: /^Arrived/ }).element() as HTMLElement).focus();
    swap();
    await screen.queryClient.refetchQueries();
    await expect.element(panel.getByRole('alert')).toHaveTextContent('This has changed: Dora D. is in this bed now.');
    await userEvent.keyboard('{Enter}');
    expect(panel.getByRole('button', { name: /^Arrived/ }).elements()).toHaveLength(0);
    await panel.getByRole('button', { name: 'Show Dora D.' }).click();
    await panel.getByRole('button', { name: 'Arrived: Dora D.' }).click();
    await expect.poll(() => sent).toMatchObject([{ status: 'ARRIVED' }]);
  });

  it('never gives the buttons of those who wait to a press for the guest, whom somebody else has moved', async () => {
    const { screen, sent, open, leave } = await openHouses();
    const panel = await open('a');
    await expect.element(panel.getByRole('button', { name: 'Move', exact: true })).toBeVisible();
    leave();
    await expectToldThatAnaLeft(screen, panel);
    await expectNoViolations();
    await panel.getByRole('button', { name: 'Show what can be done' }).click();
    await panel.getByRole('button', { name: 'Place Paul PAUL in Bed a' }).click();
    await expect.poll(() => sent).toMatchObject([{ id: 'paul', bedId: 'a' }]);
  });

  it('lets staff look, without any action', async () => {
    const { open } = await openHouses({ user: staff });
    const panel = await open('a');
    await expect.element(panel.getByRole('heading', { name: 'Ana B.' })).toBeVisible();
    await expect.element(panel.getByRole('button', { name: 'Discharge' })).not.toBeInTheDocument();
    await expect.element(panel.getByRole('button', { name: 'Move', exact: true })).not.toBeInTheDocument();
  });
});

describe('the panel of a vacant bed', () => {
  it('places a reservation by one press, which can be undone', async () => {
    const { screen, sent, open } = await openHouses();
    const panel = await open('b');
    await expect.element(panel.getByText('Fits: Detox bed')).toBeVisible();
    await panel.getByRole('button', { name: 'Place Paul PAUL in Bed b' }).click();
    await expect.element(screen.getByText('Ana B. is now in House 1 / Bed b.')).toBeVisible();
    expect(sent).toEqual([{ id: 'paul', status: 'ACCEPTED', bedId: 'b', version: 1 }]);
    await expect.element(panel).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Undo', exact: true })).toBeVisible();
  });

  it('holds back a press on a row that has just come up, when somebody else has placed the one before', async () => {
    const { screen, sent, open, acceptPaul } = await openHouses({
      others: [{ ...paul, id: 'quinn', displayName: 'Quinn Q.' }],
    });
    const panel = await open('b');
    const quinn = panel.getByRole('button', { name: 'Place Quinn Q. in Bed b' });
    await expect.element(quinn).toBeVisible();
    const row = quinn.element().closest('li') as HTMLLIElement;
    const animate = vi.spyOn(row, 'animate');
    acceptPaul();
    await screen.queryClient.refetchQueries();
    await expect.element(panel.getByRole('button', { name: /^Place Paul/ })).not.toBeInTheDocument();
    expect(animate.mock.calls).toEqual([[{ pointerEvents: ['none', 'none'] }, 700]]);
    await screen.queryClient.refetchQueries();
    expect(animate).toHaveBeenCalledOnce();
    await quinn.click();
    await expect.poll(() => sent).toMatchObject([{ id: 'quinn', bedId: 'b' }]);
  });

  it('says why a reservation was not placed', async () => {
    const { open } = await openHouses({ refusal: () => problem(409, 'This reservation has been declined.') });
    const panel = await open('b');
    await panel.getByRole('button', { name: 'Place Paul PAUL in Bed b' }).click();
    await expect.element(panel.getByRole('alert')).toHaveTextContent('This reservation has been declined.');
  });

  it('leads to the page that says what to do where a subscription is missing', async () => {
    const { open, screen } = await openHouses({ refusal: () => problem(402, 'Start a subscription to accept.') });
    const panel = await open('b');
    await panel.getByRole('button', { name: 'Place Paul PAUL in Bed b' }).click();
    await expect.element(panel.getByRole('alert')).toHaveTextContent('Start a subscription to accept.');
    await panel.getByRole('link', { name: 'See what to do' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations-request/paul');
  });

  it('lets intake users of a strict site place nobody whom the bed is not for, and says why', async () => {
    const { sent, open } = await openHouses({ meantFor: ['gender-male'] });
    const panel = await open('b');
    const place = panel.getByRole('button', { name: 'Place Paul PAUL in Bed b' });
    const words = 'Not for: Female. Only an admin or owner can place here.';
    await expect.element(place).toHaveAttribute('aria-disabled', 'true');
    await expect.element(place).toHaveAccessibleDescription(words);
    await expect.element(panel.getByText(words).first()).toBeVisible();
    expect(panel.getByText(/^Fits/).query()).toBeNull();
    await expectNoViolations();
    await place.click({ force: true });
    expect(sent).toEqual([]);
  });

  it('lists those whom the bed is for before the others, otherwise in the order of their holds', async () => {
    const inHours = (hours: number) => new Date(serverNow() + hours * 3_600_000).toISOString();
    const waitingMan = (id: string, hours: number) =>
      guest(id, { displayName: id, gender: 'Male', expiresAt: inHours(hours) });
    const others = [
      waitingMan('Rob', 3),
      guest('Pia', { displayName: 'Pia', expiresAt: inHours(1) }),
      waitingMan('Sam', 2),
    ];
    const { open } = await openHouses({ user: admin, meantFor: ['gender-male'], others });
    const panel = await open('b');
    const rows = panel.getByRole('button', { name: /^Place / });
    await expect.element(rows.first()).toBeVisible();
    const names = rows.elements().map((row) => row.getAttribute('aria-label')?.split(' ')[1]);
    expect(names).toEqual(['Sam', 'Rob', 'Pia', 'Paul']);
  });

  it('lets admins of a strict site place them, with a word about the reason', async () => {
    const { sent, open } = await openHouses({ user: admin, meantFor: ['gender-male'] });
    const panel = await open('b');
    await expect.element(panel.getByText('Not for: Female. You will be asked for a reason.')).toBeVisible();
    await panel.getByRole('button', { name: 'Place Paul PAUL in Bed b' }).click();
    await expect.poll(() => sent.length).toBe(1);
  });

  it('is disabled with a reason by those who may, and not by intake users where they may not', async () => {
    const { screen, saved, open } = await openHouses({ user: admin });
    const panel = await open('b');
    await panel.getByRole('button', { name: 'Disable Bed' }).click();
    const form = screen.getByRole('dialog', { name: 'Disable Bed b?' });
    await form.getByLabelText('Reason').fill('Water damage');
    await form.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.poll(() => saved).toMatchObject([{ disabled: true, disabledReason: 'Water damage' }]);
  });

  it('offers intake users the guests alone, and leads to the form for a new one', async () => {
    const { screen, open } = await openHouses();
    const panel = await open('b');
    await expect.element(panel.getByRole('button', { name: 'Disable Bed' })).not.toBeInTheDocument();
    await panel.getByRole('button', { name: 'New Guest' }).click();
    await expect.poll(() => screen.router.state.location.search).toEqual({ open: 'new-guest', bed: 'b' });
  });
});

it('the panel of a disabled bed tells the reason and enables the bed', async () => {
  const { screen, saved, open } = await openHouses({ user: admin });
  const panel = await open('c');
  await expect.element(panel.getByText('Out of service: Painting')).toBeVisible();
  await expect.element(panel.getByRole('button', { name: /^Place / })).not.toBeInTheDocument();
  await panel.getByRole('button', { name: 'Enable Bed' }).click();
  await expect.element(screen.getByText('Bed c is enabled.')).toBeVisible();
  expect(saved).toMatchObject([{ disabled: false }]);
});

it('the panel of a bed that is being cleaned says so, says that it is overdue, and makes it ready by one press', async () => {
  const { screen, saved, open } = await openHouses({ user: admin });
  const panel = await open('d');
  await expect.element(panel.getByText('Being cleaned')).toBeVisible();
  await expect.element(panel.getByText('overdue: was expected back on Nov 1, 2026')).toBeVisible();
  await panel.getByRole('button', { name: 'Ready: Enable Bed' }).click();
  await expect.element(screen.getByText('Bed d is enabled.')).toBeVisible();
  expect(saved).toMatchObject([{ disabled: false }]);
});

it('the panel fits a phone in the dark', async () => {
  await page.viewport(390, 844);
  writePreference('colorScheme', 'dark');
  const { open } = await openHouses();
  const panel = await open('b');
  await expect.element(panel.getByRole('button', { name: 'Place Paul PAUL in Bed b' })).toBeVisible();
  await expectNoViolations();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
