import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { serverNow } from '@/lib/clock';
import { expectNoViolations } from '@/testing/axe';
import { pointerAt } from '@/testing/click-at';
import { problem, serve } from '@/testing/server';
import {
  S1,
  harbor,
  bay,
  intake,
  staff,
  admin,
  inMinutes,
  waiting,
  move,
  stay,
  shift,
  open,
  holdToday,
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

function arriving(id: string, firstName: string) {
  const place = { room: { id: 'r', name: 'House 2', imagePath: null } };
  const bedOf = { id: 'b', name: 'Bed b', type: 'Detox', index: 0, imagePath: null } as const;
  const fields = { status: 'accepted', isArriving: true, assignedBedId: 'b', bed: bedOf, ...place } as const;
  return waiting(id, firstName, fields);
}

describe('who is arriving', () => {
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
    const arrived = screen.getByRole('button', { name: 'Arrived: Mona B. MONA' });
    await expect.element(arrived).toBeVisible();
    const click = pointerAt();
    (arrived.element() as HTMLElement).focus();
    click(arrived.element(), 0);
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
    // The second half of a double click meets the row that has moved up.
    click(screen.getByRole('button', { name: 'Arrived: Nico B. NICO' }).element(), 300);
    await expect.element(list().getByRole('listitem')).toHaveFocus();
    await screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(2);
    expect(sent).toMatchObject([
      { id: 'mona', status: 'ARRIVED', version: 1 },
      { id: 'mona', status: 'NOT_ARRIVED', version: 2 },
    ]);
  });

  it('gives the focus to the next row, and not to its button, when somebody else has decided', async () => {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    const arrived = screen.getByRole('button', { name: 'Arrived: Mona B. MONA' });
    await expect.element(arrived).toBeVisible();
    (arrived.element() as HTMLElement).focus();
    world.today = { ...world.today, arriving: [nico] };
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
    await expect.element(list().getByRole('listitem')).toHaveFocus();
  });

  it('holds back a press on the row that has come under the mouse, when somebody else has decided', async () => {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    const arrived = screen.getByRole('button', { name: 'Arrived: Nico B. NICO' });
    await expect.element(arrived).toBeVisible();
    const row = arrived.element().closest('li') as HTMLLIElement;
    const animate = vi.spyOn(row, 'animate');
    world.today = { ...world.today, arriving: [nico] };
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
    expect(animate.mock.calls).toEqual([[{ pointerEvents: ['none', 'none'] }, 700]]);
  });

  it('does so after a question about the guest was asked and left', async () => {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    await screen.getByRole('button', { name: 'No show: Mona B. MONA' }).click();
    await expect.element(screen.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'No show: Mona B. MONA' })).toHaveFocus();
    world.today = { ...world.today, arriving: [nico] };
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
    await expect.element(list().getByRole('listitem')).toHaveFocus();
  });

  /** Mona and Nico arrive; the answer says how the list is afterwards. */
  async function openArriving(after: (id: string) => Schemas['Today']) {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    const sent = serveUpdates(world, (_, id) => after(id));
    const arrived = (name: string) => screen.getByRole('button', { name: `Arrived: ${name}` });
    await expect.element(arrived('Mona B. MONA')).toBeVisible();
    (arrived('Mona B. MONA').element() as HTMLElement).focus();
    const change = (left: Schemas['Today']['arriving']) => {
      world.today = { ...world.today, arriving: left };
      return screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    };
    return { sent, arrived, change };
  }
  const ofVersion = (row: typeof mona, version: number) => ({ ...row, guest: { ...row.guest, version } });

  it('has arrived by one Enter: no later key acts for the next row', async () => {
    const { sent, arrived } = await openArriving(() => shift({ arriving: [nico] }));
    await userEvent.keyboard('{Enter}');
    await expect.element(list().getByRole('listitem')).toHaveFocus();
    const pressed: EventTarget[] = [];
    const note = ({ target }: Event) => target && pressed.push(target);
    document.addEventListener('click', note, { capture: true });
    await userEvent.keyboard('{Enter} {Enter>5/}');
    document.removeEventListener('click', note, { capture: true });
    expect(pressed).toEqual([]);
    expect(sent.map(({ id }) => id)).toEqual(['mona']);
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.tab();
    await expect.element(arrived('Nico B. NICO')).toHaveFocus();
  });

  /** By keyboard alone, from *Arrived* back to *No show*. */
  async function markMonaAbsent() {
    await userEvent.tab({ shift: true });
    await userEvent.keyboard('{Enter}');
    const question = page.getByRole('dialog', { name: 'Mark Mona B. as a no-show?' });
    await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    return question;
  }

  it('did not come by keyboard alone: the next row has the focus, and no key acts for it', async () => {
    const { sent } = await openArriving(() => shift({ arriving: [nico] }));
    const question = await markMonaAbsent();
    await expect.element(list().getByRole('listitem')).toHaveFocus();
    await userEvent.keyboard('{Enter} {Enter}');
    await expect.element(question).not.toBeInTheDocument();
    expect(page.getByRole('dialog').elements()).toHaveLength(0);
    expect(sent.map(({ id, status }) => `${id} ${status}`)).toEqual(['mona NO_SHOW']);
  });

  it('did not come: the row goes with the question, and a second Enter before the list has loaded again asks nothing', async () => {
    const { sent } = await openArriving(() => shift({ arriving: [nico] }));
    const load = holdToday(shift({ arriving: [nico] }));
    const question = await markMonaAbsent();
    await expect.element(page.getByText('Mona B. did not come.', { exact: false })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await delay(200);
    await userEvent.keyboard('{Enter}');
    await expect.element(question).not.toBeInTheDocument();
    expect(list().getByRole('listitem').elements()).toHaveLength(1);
    load();
    await delay(100);
    expect(page.getByRole('dialog').elements()).toHaveLength(0);
    await expect.element(list().getByRole('listitem')).toHaveFocus();
    expect(sent.map(({ id, status }) => `${id} ${status}`)).toEqual(['mona NO_SHOW']);
  });

  it('has arrived: *No show* asks nothing before the list has loaded again', async () => {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    serveUpdates(world, (today) => today);
    const noShow = screen.getByRole('button', { name: 'No show: Mona B. MONA' });
    await screen.getByRole('button', { name: 'Arrived: Mona B. MONA' }).click();
    await expect.element(screen.getByText('Mona B. has arrived.')).toBeVisible();
    await noShow.click();
    await delay(100);
    expect(page.getByRole('dialog').elements()).toHaveLength(0);
    // Taken back, the guest may still not come.
    world.today = shift({ arriving: [ofVersion(mona, 3), nico] });
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await noShow.click();
    await expect.element(page.getByRole('dialog', { name: 'Mark Mona B. as a no-show?' })).toBeVisible();
  });

  it('is asked about no longer when the user has taken the reservation back meanwhile', async () => {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    serveUpdates(world, (today) => ({ ...today, arriving: [nico] }));
    await screen.getByRole('button', { name: 'No show: Mona B. MONA' }).click();
    await expect.element(screen.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toHaveFocus();
    // As the *Undo* of a message does, which lies above the question.
    await guestCommands.send({ guestId: 'mona', siteId: S1, status: 'UNDO', bedId: null, version: 1 });
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(list().getByRole('listitem')).toHaveFocus();
  });

  it('leaves the focus in a dialog that is open when the row goes', async () => {
    const { arrived } = await openArriving(() => shift({ arriving: [nico] }));
    const load = holdToday(shift({ arriving: [nico] }));
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Mona B. has arrived.')).toBeVisible();
    const dialog = document.createElement('div');
    dialog.role = 'dialog';
    dialog.ariaModal = 'true';
    dialog.tabIndex = -1;
    onTestFinished(() => dialog.remove());
    document.body.append(dialog);
    dialog.focus();
    load();
    await expect.element(arrived('Mona B. MONA')).not.toBeInTheDocument();
    await delay(50);
    expect(document.activeElement).toBe(dialog);
  });

  it('gives the focus to the next row when somebody else decides about a guest whom the user decided about before', async () => {
    const { arrived, change } = await openArriving(() => shift({ arriving: [nico] }));
    await userEvent.keyboard('{Enter}');
    await expect.element(list().getByRole('listitem')).toHaveFocus();
    // It is taken back, and done again, by somebody else.
    await change([ofVersion(mona, 3), nico]);
    await expect.element(arrived('Mona B. MONA')).toBeVisible();
    (arrived('Mona B. MONA').element() as HTMLElement).focus();
    await change([nico]);
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
    await expect.element(list().getByRole('listitem')).toHaveFocus();
  });

  it('does so when somebody else was faster', async () => {
    const { change } = await openArriving((id) => shift({ arriving: [ofVersion(id === 'mona' ? mona : nico, 2)] }));
    let asked = 0;
    serve(
      http.patch('/api/Guests/mona', () => {
        asked += 1;
        return new Promise<never>(() => undefined);
      }),
    );
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => asked).toBe(1);
    await change([nico]);
    await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
    await expect.element(list().getByRole('listitem')).toHaveFocus();
  });

  it('is told with what happened, and by whom, when the arrival is refused', async () => {
    await openArriving(() => shift({ arriving: [nico] }));
    serve(
      http.patch('/api/Guests/mona', () =>
        problem(412, 'Someone else changed this in the meantime. Here is how it is now.', {
          guest: { ...mona.guest, isArriving: false, noShowAt: inMinutes(-1), status: 'discharged', version: 2 },
          changedBy: { name: 'Tom Becker', isYou: false, at: inMinutes(-1) },
        }),
      ),
    );
    await userEvent.keyboard('{Enter}');
    await expect
      .element(page.getByText(/^The arrival of Mona B\. was not saved\./))
      .toHaveTextContent(/Status now: No show\. Tom Becker did this at /i);
  });

  it('keeps the focus on *Arrived* until the row goes, also while the outcome is not known', async () => {
    const { screen, world } = await open(shift({ arriving: [mona, nico] }));
    const answers: (() => void)[] = [];
    const toAnswer = () => new Promise<void>((resolve) => answers.push(resolve));
    let tries = 0;
    serve(
      http.patch('/api/Guests/mona', async () => {
        tries += 1;
        await toAnswer();
        return tries === 1 ? HttpResponse.error() : HttpResponse.json({ ...mona.guest, isArriving: false, version: 2 });
      }),
      http.get('/api/Today', async () => {
        await toAnswer();
        return HttpResponse.json({ ...world.today, arriving: [nico] });
      }),
    );
    const answer = async () => {
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      answers.shift()?.();
    };
    const arrived = screen.getByRole('button', { name: 'Arrived: Mona B. MONA' });
    await expect.element(arrived).toBeVisible();
    (arrived.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => answers.length).toBe(1);
    await expect.element(arrived).toHaveFocus();
    await answer();
    await expect.element(screen.getByText('Not confirmed')).toBeVisible();
    await expect.element(arrived).toHaveFocus();
    await answer();
    await expect.element(screen.getByText('Mona B. has arrived.')).toBeVisible();
    await expect.element(arrived).toHaveFocus();
    await answer();
    await expect.element(list().getByRole('listitem')).toHaveFocus();
    expect(tries).toBe(2);
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

  it('leaves the letters of the reason in the question when somebody else has decided meanwhile', async () => {
    const { screen, world } = await open(shift({ waiting: [], arriving: [mona, nico] }));
    const sent = serveUpdates(world, (today) => today);
    await screen.getByRole('button', { name: 'No show: Mona B. MONA' }).click();
    const reason = screen.getByRole('dialog').getByLabelText('Reason (optional)');
    await reason.click();
    await userEvent.keyboard('Did');
    world.today = { ...world.today, arriving: [nico] };
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await expect.element(screen.getByRole('button', { name: 'Arrived: Mona B. MONA' })).not.toBeInTheDocument();
    await userEvent.keyboard(' not come');
    await expect.element(reason).toHaveValue('Did not come');
    expect(sent).toEqual([]);
  });

  it('is shown to staff without the two answers', async () => {
    const { screen } = await open(shift({ arriving: [mona] }), staff);
    await expect.element(screen.getByRole('heading', { name: 'Arriving', exact: true })).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Arrived|No show)/ }).elements()).toHaveLength(0);
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
