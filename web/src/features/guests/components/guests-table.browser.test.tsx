import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import type { TableState } from '@/components/data-table/data-table.types';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { printedSheets } from '@/testing/print';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { DecisionDialog, type DecisionKind } from './decision-dialog';
import { GuestDetails } from './guest-details';
import { GuestsTable } from './guests-table';

afterEach(async () => {
  cleanNotifications();
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const inBed = (id: string, fields: Partial<Schemas['Guest']>) =>
  guest(id, {
    status: 'accepted',
    room: { id: '1', name: 'House 1', imagePath: null },
    bed: { id, name: `Bed ${id}`, type: 'Detox', index: 2, imagePath: null },
    ...fields,
  });
const ana = inBed('a', { firstName: 'Ana', lastName: 'B', displayName: 'Ana B. A1', daysStayed: 12, version: 7 });
const ben = inBed('b', { firstName: 'Ben', lastName: 'C', displayName: 'Ben C. B2', daysStayed: 1 });
const wes = guest('w', { firstName: 'Wes', lastName: 'D', code: 'W3', displayName: 'Wes D. W3' });
const site = siteDetails([room('1', [bed('a', { guest: guestShort('a') }), bed('z')])]);
const intake = currentUser({ role_intake_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });

async function openTable(user = intake, guests: readonly Schemas['Guest'][] = [ben, wes, ana]) {
  const on = {
    onReassign: vi.fn(),
    onDischarge: vi.fn(),
    onArrived: vi.fn(),
    onNoShow: vi.fn(),
    onMoveGuests: vi.fn(),
  };
  function Table() {
    const [state, setState] = useState<TableState>({ page: 0, size: 5, sort: 'guest', direction: 'asc', dense: false });
    return <GuestsTable site={site} guests={guests} state={state} onStateChange={setState} {...on} />;
  }
  return Object.assign(await renderView(<Table />, { user }), on);
}

describe('the guests table', () => {
  it('is printed whole, in its order, with the site, the time in its zone, who printed it and the filter', async () => {
    const user = currentUser({ role_staff_site_ids: 's1', first_name: 'Olga', last_name: 'Owens' });
    const screen = await openTable(user);
    await expect.element(screen.getByText('Ana B. A1')).toBeVisible();
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    await screen.getByRole('button', { name: 'Print' }).click();
    expect(print).toHaveBeenCalledOnce();
    const [sheet, ...others] = printedSheets();
    expect(others).toEqual([]);
    expect(sheet).toMatch(/^Guests: Harbor House.*As of .* P[SD]T, printed by Olga Owens.*42 CFR part 2 prohibits/);
    expect(sheet).toMatch(/GuestDaysRoom \/ Bed.*Ana B. A1.*12 Days.*Bed a.*Ben C. B2.*1 Day/);
    await screen.getByRole('textbox', { name: 'Find a guest by name or code' }).fill('ben');
    await expect.element(screen.getByText('Ana B. A1')).not.toBeInTheDocument();
    expect(printedSheets()[0]).toMatch(/Name contains "ben"/);
    expect(printedSheets()[0]).not.toContain('Ana B. A1');
    print.mockRestore();
  });

  it('is not printed in place of a dialog in front of it', async () => {
    const screen = await openTable();
    await expect.element(screen.getByText('Ana B. A1')).toBeVisible();
    const dialog = document.createElement('div');
    dialog.setAttribute('aria-modal', 'true');
    document.body.append(dialog);
    expect(printedSheets()).toEqual([]);
    dialog.remove();
    expect(printedSheets()).toHaveLength(1);
  });

  it('draws no row again while nothing about its guest changes', async () => {
    let reads = 0;
    const watched = Object.defineProperty({ ...ana }, 'room', {
      enumerable: true,
      get() {
        reads += 1;
        return ana.room;
      },
    });
    const guests = [watched, ben];
    const on = {
      onReassign: vi.fn(),
      onDischarge: vi.fn(),
      onArrived: vi.fn(),
      onNoShow: vi.fn(),
      onMoveGuests: vi.fn(),
    };
    const state: TableState = { page: 0, size: 5, sort: 'guest', direction: 'asc', dense: false };
    function Around() {
      const [count, setCount] = useState(0);
      return (
        <>
          <button type="button" onClick={() => setCount(count + 1)}>
            Around {count}
          </button>
          <GuestsTable site={site} guests={guests} state={state} onStateChange={vi.fn()} {...on} />
        </>
      );
    }
    const screen = await renderView(<Around />, { user: intake });
    await expect.element(screen.getByText('House 1 / Bed a')).toBeVisible();
    const before = reads;
    await screen.getByRole('button', { name: 'Around 0' }).click();
    await screen.getByRole('button', { name: 'Around 1' }).click();
    await expect.element(screen.getByRole('button', { name: 'Around 2' })).toBeVisible();
    expect(reads).toBe(before);
  });

  it('shows guests in beds, sorted by name at first, each column either way', async () => {
    const screen = await openTable();
    const names = () =>
      screen
        .getByRole('link')
        .elements()
        .map((link) => link.textContent);
    await expect.poll(names).toEqual(['Ana B. A1', 'Ben C. B2']);
    await expect.element(screen.getByText('1 Day', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('12 Days')).toBeVisible();
    await expect.element(screen.getByText('House 1 / Bed a')).toBeVisible();
    await screen.getByRole('button', { name: 'Days' }).click();
    await expect.poll(names).toEqual(['Ben C. B2', 'Ana B. A1']);
    await screen.getByRole('button', { name: 'Room / Bed' }).click();
    await screen.getByRole('button', { name: 'Room / Bed' }).click();
    await expect.poll(names).toEqual(['Ben C. B2', 'Ana B. A1']);
    await expectNoViolations();
  });

  it('says of a guest who has not come yet that the guest is arriving, and counts no day', async () => {
    const screen = await openTable(intake, [{ ...ana, isArriving: true }]);
    await expect.element(screen.getByRole('row').nth(1)).toHaveTextContent(/Ana B\. A1Arriving/);
  });

  it('is at most 70 % of the window high', async () => {
    await page.viewport(1360, 900);
    const screen = await openTable();
    await expect.element(screen.getByText('Ana B. A1')).toBeVisible();
    const list = screen.getByRole('table').element().closest('[role=region]');
    expect(list && getComputedStyle(list).maxHeight).toBe('630px');
  });

  it('leads from a row to the guest', async () => {
    const screen = await openTable();
    await screen.getByText('House 1 / Bed a').click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations/guest/s1/a');
  });

  it('reassigns and discharges from the row menu, and opens the board', async () => {
    const screen = await openTable();
    await screen.getByRole('button', { name: 'Actions for Ana B. A1' }).click();
    await screen.getByRole('menuitem', { name: 'Reassign' }).click();
    expect(screen.onReassign).toHaveBeenCalledWith(ana);
    await screen.getByRole('button', { name: 'Actions for Ben C. B2' }).click();
    await screen.getByRole('menuitem', { name: 'Discharge' }).click();
    expect(screen.onDischarge).toHaveBeenCalledWith(ben);
    await screen.getByRole('button', { name: 'Move Guests' }).click();
    expect(screen.onMoveGuests).toHaveBeenCalledOnce();
  });

  it('offers who is arriving the two answers in place of a discharge', async () => {
    const arriving = { ...ana, isArriving: true };
    const screen = await openTable(intake, [arriving]);
    const choose = async (name: string) => {
      await screen.getByRole('button', { name: 'Actions for Ana B. A1' }).click();
      await screen.getByRole('menuitem', { name, exact: true }).click();
    };
    await screen.getByRole('button', { name: 'Actions for Ana B. A1' }).click();
    await expect.element(screen.getByRole('menuitem', { name: 'Arrived' })).toBeVisible();
    const entries = screen.getByRole('menuitem').elements();
    expect(entries.map((entry) => entry.textContent)).toEqual(['Reassign', 'Arrived', 'No show']);
    await userEvent.keyboard('{Escape}');
    await choose('Arrived');
    expect(screen.onArrived).toHaveBeenCalledWith(arriving);
    await choose('No show');
    expect(screen.onNoShow).toHaveBeenCalledWith(arriving);
    expect(screen.onDischarge).not.toHaveBeenCalled();
  });

  it('has neither row menu nor board for staff', async () => {
    const screen = await openTable(staff);
    await expect.element(screen.getByText('Ana B. A1')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: /Actions for/ })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Move Guests' })).not.toBeInTheDocument();
  });

  it('finds a guest, and says when nobody fits', async () => {
    const screen = await openTable();
    const filter = screen.getByRole('textbox', { name: 'Find a guest by name or code' });
    await filter.fill('ben');
    await expect.element(screen.getByText('Ana B. A1')).not.toBeInTheDocument();
    await filter.fill('wes');
    await expect.element(screen.getByText('No matching guests')).toBeVisible();
  });

  it('is made of cards on a phone, in the dark too', async () => {
    await page.viewport(390, 844);
    writePreference('colorScheme', 'dark');
    const screen = await openTable();
    await expect.element(screen.getByRole('button', { name: 'Actions for Ana B. A1' })).toBeVisible();
    await expectNoViolations();
  });
});

describe('a decision', () => {
  async function decide(kind: DecisionKind, of: Schemas['Guest'], answer: () => Response) {
    const sent: unknown[] = [];
    serve(
      http.patch('/api/Guests/:id', async ({ request }) => {
        sent.push(await request.json());
        return answer();
      }),
    );
    const on = { onClose: vi.fn(), onDone: vi.fn() };
    const screen = await renderView(<DecisionDialog subject={of} kind={kind} {...on} />, { user: intake });
    return Object.assign(screen, on, { sent });
  }

  it('names the guest, takes feedback and tells that the reservation is declined', async () => {
    const screen = await decide('decline', wes, () => HttpResponse.json({ ...wes, status: 'rejected' }));
    await expect.element(screen.getByRole('dialog', { name: 'Decline the reservation for Wes D.?' })).toBeVisible();
    await expectNoViolations();
    await screen.getByLabelText('Feedback (optional)').fill('  Needs another kind of care.  ');
    await screen.getByRole('button', { name: 'Decline' }).click();
    await expect.element(screen.getByText('The reservation for Wes D. was declined.')).toBeVisible();
    expect(screen.sent).toEqual([
      { id: 'w', status: 'REJECTED', bedId: null, version: 1, feedback: 'Needs another kind of care.' },
    ]);
    expect(screen.onDone).toHaveBeenCalledOnce();
  });

  it('asks before the feedback that was typed is lost by Escape', async () => {
    const screen = await decide('decline', wes, () => HttpResponse.json({ ...wes, status: 'rejected' }));
    const feedback = screen.getByLabelText('Feedback (optional)');
    await feedback.fill('No detox bed is free.');
    await userEvent.keyboard('{Escape}');
    const question = screen.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(feedback).toHaveValue('No detox bed is free.');
    expect(screen.onClose).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => screen.onClose.mock.calls.length).toBe(1);
  });

  it('discharges without a bed id', async () => {
    const screen = await decide('discharge', ana, () => HttpResponse.json({ ...ana, status: 'discharged' }));
    await expect.element(screen.getByText(/Ana B\. leaves House 1 \/ Bed a/)).toBeVisible();
    await screen.getByRole('button', { name: 'Discharge' }).click();
    await expect.element(screen.getByText('Ana B. was discharged. House 1 / Bed a is now vacant.')).toBeVisible();
    expect(screen.sent).toEqual([{ id: 'a', status: 'DISCHARGED', bedId: null, version: 7 }]);
  });

  it('that a guest did not come takes a reason, and can be undone like a discharge', async () => {
    const arriving = { ...ana, isArriving: true };
    const at = '2026-11-25T10:00:00.000Z';
    const gone = { ...ana, status: 'discharged', dischargedAt: at, noShowAt: at, version: 8 } as const;
    const answers = [gone, { ...arriving, version: 9 }];
    const screen = await decide('noShow', arriving, () => HttpResponse.json(answers.shift()));
    await expect.element(screen.getByRole('dialog', { name: 'Mark Ana B. as a no-show?' })).toBeVisible();
    await expectNoViolations();
    await screen.getByLabelText('Reason (optional)').fill('Went to a hospital.');
    await screen.getByRole('button', { name: 'No show' }).click();
    await expect.element(screen.getByText('Ana B. did not come. House 1 / Bed a is now vacant.')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByText('Ana B. is arriving again. House 1 / Bed a is reserved.')).toBeVisible();
    expect(screen.sent).toEqual([
      { id: 'a', status: 'NO_SHOW', bedId: null, version: 7, feedback: 'Went to a hospital.' },
      { id: 'a', status: 'UNDO', bedId: null, version: 8 },
    ]);
  });

  it('stays open with the reason when someone was faster', async () => {
    const screen = await decide('decline', wes, () =>
      problem(409, 'This guest already has a bed.', { guest: { ...wes, status: 'accepted' } }),
    );
    await screen.getByRole('button', { name: 'Decline' }).click();
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('This guest already has a bed. Status now: Accepted.');
    expect(screen.onClose).not.toHaveBeenCalled();
    await screen.getByRole('button', { name: 'Cancel' }).click();
    expect(screen.onClose).toHaveBeenCalledOnce();
  });
});

describe('guest details', () => {
  const nothing = () => undefined;
  const open = (of: Schemas['Guest'], user = intake, events: Schemas['GuestEvent'][] = [], at = site) => {
    serve(
      answerGet(`/api/Guests/${of.id}/timeline`, { guestId: of.id, events }),
      answerGet(`/api/Guests/${of.id}/earlier`, { items: [] }),
    );
    return renderView(
      <GuestDetails
        guest={of}
        site={at}
        onPlace={nothing}
        onDecline={nothing}
        onDischarge={nothing}
        onNoShow={nothing}
      />,
      { user },
    );
  };

  it('tell who the guest is, and where; the name stays out of the title of the tab', async () => {
    const screen = await open(ana);
    await expect.element(screen.getByRole('heading', { name: 'Guest Details' })).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'Ana B.' })).toBeVisible();
    await expect.element(screen.getByText('Occupied')).toBeVisible();
    await expect.element(screen.getByText('Detox · Bed 2')).toBeVisible();
    expect(document.title).toBe('Guest Details · Berth');
    await expectNoViolations();
  });

  it('tell gender, services, date and how the guest pays: MediCal at non-commercial sites', async () => {
    const services = [{ id: 'detox', name: 'Medical detox', category: 'General', type: null } as const];
    const insured = {
      ...ana,
      services,
      organizationReservationPaymentMethod: {
        reservationPaymentMethodName: 'Insurance',
        reservationPaymentMethodCategory: 'Insurance',
      },
      insuranceCompanyName: 'Meridian Mutual',
      policyNumber: 'MM-8',
      groupNumber: 'G7',
    } as const;
    const screen = await open(insured);
    for (const text of ['Female', 'Medical detox', 'Nov 20, 2026, 2:00 AM PST', 'Insurance', 'MM-8', 'G7']) {
      // oxlint-disable-next-line no-await-in-loop
      await expect.element(screen.getByText(text, { exact: true }).first()).toBeVisible();
    }
    await screen.unmount();
    const free = { ...site, isCommercial: false };
    const other = await open(
      { ...ana, mediCalChoice: { id: 'moc', name: 'Medi-Cal Orange County' } },
      intake,
      [],
      free,
    );
    await expect.element(other.getByText('Medi-Cal Orange County')).toBeVisible();
    await expect.element(other.getByText('Policy number')).not.toBeInTheDocument();
  });

  it('lead back to the guests of the site, and show the photo of the house', async () => {
    const house = { id: '1', name: 'House 1', imagePath: '/favicon.svg' };
    const screen = await open({ ...ana, room: house });
    await expect.element(screen.getByRole('img', { name: 'Photo of House 1' })).toBeInTheDocument();
    await screen.getByRole('link', { name: 'Back to Harbor House' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations/s1');
    expect(screen.router.state.location.search).toMatchObject({ tab: 'guests' });
  });

  it('tell what happened, by whom and when, in the time zone of the site', async () => {
    const event = (kind: Schemas['GuestEvent']['kind'], at: string, fields: Partial<Schemas['GuestEvent']> = {}) => ({
      kind,
      at,
      roomName: null,
      bedName: null,
      by: null,
      isYou: false,
      heldUntil: null,
      feedback: null,
      reasonName: null,
      placementReason: null,
      mergedWith: null,
      ...fields,
    });
    const place = { roomName: 'House 1', bedName: 'Bed a' };
    const screen = await open(ana, intake, [
      event('reserved', '2026-11-01T09:00:00.000Z'),
      event('declined', '2026-11-01T09:10:00.000Z', { by: 'Tom Becker', feedback: 'Wrong person.' }),
      event('declineUndone', '2026-11-01T09:20:00.000Z', { by: 'Ada Moreno' }),
      event('holdExtended', '2026-11-01T09:30:00.000Z', { by: 'Mara Cedar', heldUntil: '2026-11-01T10:00:00.000Z' }),
      event('accepted', '2026-11-01T09:40:00.000Z', { ...place, by: 'Tom Becker' }),
      event('acceptUndone', '2026-11-01T09:40:07.000Z', { ...place, by: 'Tom Becker' }),
      event('accepted', '2026-11-01T10:00:00.000Z', { ...place, by: 'Tom Becker' }),
      event('moved', '2026-11-02T10:00:00.000Z', { ...place, bedName: 'Bed b', by: 'Ada Moreno', isYou: true }),
      event('noShow', '2026-11-03T10:00:00.000Z', { ...place, by: 'Tom Becker', feedback: 'Called off.' }),
    ]);
    const events = screen.getByRole('region', { name: 'What happened' }).getByRole('listitem');
    await expect.element(events.nth(8)).toBeVisible();
    expect(events.elements().map((entry) => entry.textContent)).toEqual([
      'Reservation madeNov 1, 2026, 1:00 AM PST',
      'DeclinedNov 1, 2026, 1:10 AM PST · by Tom BeckerFeedback: Wrong person.',
      'Decline undone. The reservation is pending againNov 1, 2026, 1:20 AM PST · by Ada Moreno',
      'Hold extended until Nov 1, 2026, 2:00 AM PST, because a payment beganNov 1, 2026, 1:30 AM PST · by Mara Cedar',
      'Accepted into House 1 / Bed aNov 1, 2026, 1:40 AM PST · by Tom Becker',
      'Accept undone. The reservation is pending again, and House 1 / Bed a is vacantNov 1, 2026, 1:40 AM PST · by Tom Becker',
      'Accepted into House 1 / Bed aNov 1, 2026, 2:00 AM PST · by Tom Becker',
      'Reassigned to House 1 / Bed bNov 2, 2026, 2:00 AM PST · by you',
      'No-show. House 1 / Bed a became vacantNov 3, 2026, 2:00 AM PST · by Tom BeckerReason: Called off.',
    ]);
    await expectNoViolations();
  });

  it.each([
    ['accepted', ['Discharge', 'Reassign']],
    ['pending', ['Decline', 'Accept']],
    ['rejected', []],
    ['discharged', []],
    ['expired', []],
  ] as const)('offer a guest who is %s: %j', async (status, actions) => {
    const screen = await open({ ...wes, status });
    await expect.element(screen.getByRole('heading', { name: 'Wes D.' })).toBeVisible();
    expect(
      screen
        .getByRole('button')
        .elements()
        .map((button) => button.textContent),
    ).toEqual([...actions]);
  });

  const asking = { ...site, asksArrival: true };
  const arriving = { ...ana, isArriving: true };

  it('say that a guest has not come yet, and offer to say otherwise', async () => {
    const screen = await open(arriving, intake, [], asking);
    await expect.element(screen.getByText('Arriving')).toBeVisible();
    await expect.element(screen.getByText('Reserved')).toBeVisible();
    const names = screen.getByRole('button').elements();
    expect(names.slice(0, 3).map((button) => button.textContent)).toEqual(['Reassign', 'No show', 'Arrived']);
    await expectNoViolations();
  });

  it('record an arrival, which can be undone from the message', async () => {
    const sent: Partial<Schemas['GuestUpdate']>[] = [];
    serve(
      http.patch('/api/Guests/:id', async ({ request }) => {
        const update = (await request.json()) as Schemas['GuestUpdate'];
        sent.push({ status: update.status, version: update.version });
        const isArriving = update.status === 'NOT_ARRIVED';
        return HttpResponse.json({ ...arriving, isArriving, version: isArriving ? 9 : 8 });
      }),
    );
    const screen = await open(arriving, intake, [], asking);
    await screen.getByRole('button', { name: 'Arrived: Ana B. A1' }).click();
    await expect.element(screen.getByText('Ana B. has arrived.')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByText('Ana B. is arriving again.')).toBeVisible();
    expect(sent).toEqual([
      { status: 'ARRIVED', version: 7 },
      { status: 'NOT_ARRIVED', version: 8 },
    ]);
  });

  it('say why an arrival was refused', async () => {
    serve(http.patch('/api/Guests/:id', () => problem(409, 'This guest has arrived.', { guest: ana })));
    const screen = await open(arriving, intake, [], asking);
    await screen.getByRole('button', { name: 'Arrived: Ana B. A1' }).click();
    await expect
      .element(screen.getByText('The arrival of Ana B. was not saved. This guest has arrived.'))
      .toBeVisible();
  });

  it('take the day on which the guest is expected to leave, with the version that was seen', async () => {
    const sent: unknown[] = [];
    serve(
      http.put('/api/Guests/a/departure', async ({ request }) => {
        const body = (await request.json()) as Schemas['GuestDeparture'];
        sent.push(body);
        return HttpResponse.json({ ...ana, ...body, version: 8 });
      }),
    );
    const screen = await open(ana);
    const day = screen.getByLabelText('Day (optional)');
    await expect.element(day).toHaveValue('');
    expect(screen.getByRole('button', { name: 'Save' }).elements()).toEqual([]);
    await day.fill('2026-12-01');
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Ana B. leaves Dec 1.')).toBeVisible();
    expect(sent).toEqual([{ expectedDeparture: '2026-12-01', version: 7 }]);
    await expect.element(day).toHaveFocus();
  });

  it('say why a day was refused, at the field, and keep what was typed', async () => {
    const errors = [{ pointer: '/expectedDeparture', message: 'Choose today or a later day.' }];
    serve(http.put('/api/Guests/a/departure', () => problem(422, 'Some fields are wrong.', { errors })));
    const screen = await open(ana);
    const day = screen.getByLabelText('Day (optional)');
    await day.fill('2020-12-01');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Choose today or a later day.')).toBeVisible();
    await expect.element(day).toHaveValue('2020-12-01');
  });

  it('tell staff when the guest leaves, without a field', async () => {
    const screen = await open({ ...ana, expectedDeparture: '2099-12-01' }, staff);
    await expect.element(screen.getByText('Leaves Dec 1')).toBeVisible();
    expect(screen.getByLabelText('Day (optional)').elements()).toEqual([]);
    await screen.unmount();
    const late = await open({ ...ana, expectedDeparture: '2020-12-01' }, staff);
    await expect.element(late.getByText('Should have left Dec 1')).toBeVisible();
  });

  it('offer staff no arrival', async () => {
    const screen = await open(arriving, staff, [], asking);
    await expect.element(screen.getByText('Arriving')).toBeVisible();
    expect(screen.getByRole('button').elements()).toEqual([]);
  });

  it('offer staff nothing', async () => {
    const screen = await open(ana, staff);
    await expect.element(screen.getByRole('heading', { name: 'Ana B.' })).toBeVisible();
    expect(screen.getByRole('button').elements()).toEqual([]);
  });
});
