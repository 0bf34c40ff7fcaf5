import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { expectNoViolations } from '@/testing/axe';
import { pointerAt } from '@/testing/click-at';
import { problem, serve } from '@/testing/server';
import {
  arriving,
  S1,
  staff,
  inMinutes,
  move,
  shift,
  open,
  holdToday,
  serveUpdates,
  setUpToday,
  tearDownToday,
} from '@/testing/today-world';

beforeEach(setUpToday);
afterEach(tearDownToday);

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
