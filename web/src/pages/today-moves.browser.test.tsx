import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { serverNow } from '@/lib/clock';
import { pointerAt } from '@/testing/click-at';
import { problem, serve } from '@/testing/server';
import {
  arriving,
  S1,
  harbor,
  bay,
  intake,
  admin,
  inMinutes,
  waiting,
  move,
  stay,
  shift,
  open,
  serveUpdates,
  names,
  setUpToday,
  tearDownToday,
} from '@/testing/today-world';

beforeEach(setUpToday);
afterEach(tearDownToday);

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
    // The row goes; the keyboard goes on from here.
    await expect.element(screen.getByRole('heading', { name: "Today's moves" })).toHaveFocus();
    await expect.poll(names).toEqual(['Dan B.']);
    expect(sent).toEqual([{ id: 'dan', status: 'UNDO', bedId: null, version: 1 }]);
    await expect.element(screen.getByText('The reservation for Dan B. is pending again.')).toBeVisible();
  });

  it('are told without beds that are gone since', async () => {
    const gone = { from: null, to: null };
    const { screen } = await open(
      shift({
        moves: [
          move('accepted', { ...gone, guest: waiting('m1', 'Mona').guest }),
          move('moved', { ...gone, guest: waiting('m2', 'Nico').guest }),
          move('swapped', { ...gone, guest: waiting('m3', 'Olga').guest }),
          move('discharged', { ...gone, guest: waiting('m4', 'Pia').guest }),
          move('discharged', { ...gone, guest: waiting('m5', 'Quin', { noShowAt: inMinutes(-30) }).guest }),
        ],
      }),
    );
    const items = screen.getByRole('list', { name: "Today's moves" }).getByRole('listitem');
    await expect.poll(() => items.elements().length).toBe(5);
    const told = ['Accepted', 'Moved to another bed', 'Swapped beds with another guest', 'Discharged', 'No-show'];
    for (const [index, text] of told.entries()) expect(items.nth(index).element().textContent).toContain(text);
  });

  it('that the filters leave out are not said to be none', async () => {
    const { screen } = await open(shift({ moves: [], soon: [] }), intake, '/today?payer=Insurance');
    const hint = 'Some results are hidden by filters. Clear the filters to see everything.';
    for (const name of ["Today's moves", 'Soon']) {
      await expect.element(screen.getByRole('region', { name }).getByText(hint)).toBeVisible();
    }
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

describe('a button that is pressed twice', () => {
  const mona = arriving('mona', 'Mona');
  const dan = waiting('dan', 'Dan', { status: 'rejected', rejectedAt: inMinutes(-30) });
  const today = shift({ waiting: [], arriving: [mona], moves: [move('declined', { guest: dan.guest })] });

  /** A server that carries out the first command and refuses the others, while the screen still shows what was before. */
  async function openBefore(changedBy: Schemas['ChangedBy'] = { at: inMinutes(0), isYou: true, name: null }) {
    const { screen } = await open(today, admin);
    const sent: unknown[] = [];
    serve(
      http.get('/api/Today', () => new Promise<Response>(() => undefined)),
      http.patch('/api/Guests/:id', async ({ request }) => {
        sent.push(await request.json());
        const { guest } = [mona, dan].find(({ guest: { id } }) => request.url.endsWith(id)) ?? mona;
        const now = { ...guest, status: guest.isArriving ? 'accepted' : 'pending', isArriving: false, version: 2 };
        const text = 'Someone else changed this in the meantime. Here is how it is now.';
        return sent.length === 1
          ? HttpResponse.json(now)
          : problem(412, text, { code: 'stale', guest: now, changedBy } as never);
      }),
    );
    return { screen, sent };
  }

  const buttons = [
    ['Arrived: Mona B. MONA', 'Mona B. has arrived.'],
    ['Undo for Dan B. DAN', 'The reservation for Dan B. is pending again.'],
  ] as const;

  it.each(buttons)('%s: a double tap sends one command and tells one outcome', async (name, outcome) => {
    const { screen, sent } = await openBefore();
    const button = screen.getByRole('button', { name });
    await expect.element(button).toBeVisible();
    const tap = pointerAt(50, 20, 'touch');
    tap(button.element(), 0);
    await expect.element(screen.getByText(outcome)).toBeVisible();
    tap(button.element(), 60);
    await expect.element(button).toBeEnabled();
    await expect.element(screen.getByText(outcome)).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  it.each(buttons)('%s: so does a key that is pressed twice', async (name, outcome) => {
    const { screen, sent } = await openBefore();
    const button = screen.getByRole('button', { name });
    for (const _ of [1, 2]) {
      await expect.element(button).toBeEnabled();
      (button.element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(screen.getByText(outcome)).toBeVisible();
    }
    await expect.element(button).toBeEnabled();
    expect(sent).toHaveLength(1);
  });

  it.each(['Accept', 'Decline'])('%s asks nothing once the reservation was decided on', async (button) => {
    // The question of *Accept* comes later otherwise than this looks for it.
    await import('@/features/reservations/components/accept-dialog');
    const eva = waiting('eva', 'Eva');
    const { screen, world } = await open(shift({ waiting: [eva] }));
    serveUpdates(world, (before) => before);
    const pressed = screen.getByRole('button', { name: `${button} Eva B. EVA` });
    await expect.element(pressed).toBeVisible();
    // As by a question that was closed while the outcome was not known.
    await guestCommands.send({ guestId: 'eva', siteId: S1, status: 'REJECTED', bedId: null, version: 1 });
    await pressed.click();
    await delay(300);
    expect(page.getByRole('dialog').elements()).toHaveLength(0);
  });

  /** The first command came from another tab. */
  const answerNoShow = async ({ screen, sent }: Awaited<ReturnType<typeof openBefore>>) => {
    sent.push('elsewhere');
    await screen.getByRole('button', { name: 'No show: Mona B. MONA' }).click();
    const question = screen.getByRole('dialog', { name: 'Mark Mona B. as a no-show?' });
    await question.getByRole('button', { name: 'No show' }).click();
    return question.getByRole('alert');
  };

  it('is not told of its own change as of that of somebody else', async () => {
    const refusal = await answerNoShow(await openBefore());
    await expect.element(refusal).toHaveTextContent('You have already changed this. Here is how it is now.');
    expect(refusal.element().textContent).not.toContain('Someone else');
  });

  it('is told of the change of somebody else', async () => {
    const opened = await openBefore({ at: inMinutes(0), isYou: false, name: 'Ines Moreno' });
    await expect.element(await answerNoShow(opened)).toHaveTextContent('Someone else changed this in the meantime.');
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
