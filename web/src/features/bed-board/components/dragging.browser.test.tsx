import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { serveBoard } from '@/testing/board-world';
import { currentUser } from '@/testing/builders';
import { openBoard, startAna } from '@/testing/open-board';

/** A drag is several movements: the first only starts it. */
const MOVES = { steps: 8 };

afterEach(() => {
  tellUserForgotten();
  vi.restoreAllMocks();
  writePreference('colorScheme', 'light');
});

describe('dragging', () => {
  it('asks the same question for a drop on a vacant bed, and cancels with Escape', async () => {
    serveBoard();
    const board = await openBoard();
    const card = board.screen.getByText('Ana A1').first();
    await userEvent.dragAndDrop(card, board.screen.getByText('Bed e'), MOVES);
    await expect
      .element(board.screen.getByText(/^Do you want to assign Ana A1 from Bed a, House 1 to Bed e/))
      .toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(board.screen.getByText(/^Do you want to assign/)).not.toBeInTheDocument();
  });

  it('leaves the focus on the guest in the new bed', async () => {
    serveBoard();
    const board = await openBoard();
    const card = board.screen.getByText('Ana A1').first();
    await userEvent.dragAndDrop(card, board.screen.getByText('Bed e'), MOVES);
    await board.press('Assign').click();
    await expect.poll(board.said).toBe('Ana A1 is now in Bed e, House 2.');
    await expect.element(board.screen.getByText(/^Do you want to assign/)).not.toBeInTheDocument();
    expect(board.focused()).toBe('Move Ana A1');
  });

  it('calls a drop on the own bed an error', async () => {
    serveBoard();
    const board = await openBoard();
    await userEvent.dragAndDrop(
      board.screen.getByText('Ana A1').first(),
      board.screen.getByText('Bed a', { exact: true }),
      MOVES,
    );
    await expect.poll(board.said).toBe('Error: Guest already occupies this bed.');
  });

  it('calls a drop beside all beds an error', async () => {
    serveBoard();
    const board = await openBoard();
    await userEvent.dragAndDrop(
      board.screen.getByText('Ana A1').first(),
      board.screen.getByText('Move Guests').first(),
      MOVES,
    );
    await expect.poll(board.said).toBe('Error Cannot move Ana A1 to an already occupied bed.');
  });
});

describe('the question after a drop', () => {
  it('is answered by Enter, and the move is taken back once from its message', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await userEvent.dragAndDrop(board.screen.getByText('Ana A1').first(), board.screen.getByText('Bed e'), MOVES);
    await expect.poll(board.focused).toBe('Assign');
    // The drag library takes no click for a moment after a drop.
    await expect
      .poll(() => getComputedStyle(board.press('Assign').element().closest('section') as Element).opacity)
      .toBe('1');
    await userEvent.keyboard('{Enter}');
    await expect.poll(board.said).toBe('Ana A1 is now in Bed e, House 2.');
    await board.screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(board.said).toBe('Ana A1 is now in Bed a, House 1.');
    await expect.element(board.screen.getByText(/^Do you want to assign/)).not.toBeInTheDocument();
    expect(world.moves.map(({ status, bedId }) => [status, bedId])).toEqual([
      ['REASSIGNED', 'e'],
      ['REASSIGNED', 'a'],
    ]);
  });

  /** Carries a card by a finger onto a bed, and tells where the finger was let go. */
  const carry = async (card: Element, bedId: string) => {
    const target = document.querySelector(`[data-drop-bed="${bedId}"]`) as HTMLElement;
    target.scrollIntoView({ block: 'center' });
    const from = card.getBoundingClientRect();
    const to = target.getBoundingClientRect();
    const at = { x: to.left + to.width / 3, y: to.top + to.height / 2 };
    const send = (type: string, x: number, y: number) => {
      const touch = new Touch({ identifier: 1, target: card, clientX: x, clientY: y });
      const touches = type === 'touchend' ? [] : [touch];
      const event = { bubbles: true, cancelable: true, touches, targetTouches: touches, changedTouches: [touch] };
      card.dispatchEvent(new TouchEvent(type, event));
    };
    send('touchstart', from.left + 8, from.top + 8);
    await expect.poll(() => document.querySelectorAll('[data-dragging]').length).toBe(1);
    send('touchmove', at.x, at.y);
    await expect.poll(() => target.hasAttribute('data-over')).toBe(true);
    send('touchend', at.x, at.y);
    return at;
  };

  it('lies under the finger that dropped the guest', async () => {
    await page.viewport(390, 844);
    try {
      const world = serveBoard();
      const board = await openBoard();
      const { x, y } = await carry(board.screen.getByText('Ana A1').first().element(), 'b');
      await expect.element(board.screen.getByText(/^Do you want to assign/)).toBeVisible();
      await expect.poll(() => document.elementFromPoint(x, y)?.closest('button')?.textContent).toBe('Assign');
      await expectNoViolations();
      await expect.poll(board.focused).toBe('Assign');
      (document.elementFromPoint(x, y) as HTMLElement).click();
      await expect.poll(() => world.moves.map((move) => move.bedId)).toEqual(['b']);
    } finally {
      await page.viewport(1360, 900);
    }
  });
});

describe('for whoever does not want to be asked', () => {
  const unasked = currentUser({ role_intake_site_ids: 's1', views: { 'setting.moves-unasked': 'on' } });

  it('a guest dropped on a vacant bed is there at once, and once taken back', async () => {
    const world = serveBoard();
    const board = await openBoard(unasked);
    await userEvent.dragAndDrop(board.screen.getByText('Ana A1').first(), board.screen.getByText('Bed e'), MOVES);
    await expect.poll(board.said).toBe('Ana A1 is now in Bed e, House 2.');
    await expect.element(board.screen.getByText(/^Do you want to/)).not.toBeInTheDocument();
    expect(board.focused()).toBe('Move Ana A1');
    await board.screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(board.said).toBe('Ana A1 is now in Bed a, House 1.');
    expect(world.moves.map((move) => move.bedId)).toEqual(['e', 'a']);
  });

  it('Move mode needs no answer either', async () => {
    serveBoard();
    const board = await openBoard(unasked);
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await expect.poll(board.said).toBe('Ana A1 is now in Bed b, House 1.');
    await expect.poll(board.focused).toBe('Move Ana A1');
  });

  it('a swap asks all the same', async () => {
    const world = serveBoard();
    const board = await openBoard(unasked);
    await userEvent.dragAndDrop(
      board.screen.getByText('Ana A1').first(),
      board.screen.getByText('Ben B2').first(),
      MOVES,
    );
    await expect.element(board.screen.getByText(/^Do you want to swap/)).toBeVisible();
    expect(world.moves).toEqual([]);
  });
});

describe('a drag that comes to nothing', () => {
  const marks = () => document.querySelectorAll('[data-dragging], [data-over]').length;
  /** Lifts a card and carries it 20 px, all in one task; answers with how to let it go. */
  const lift = (card: Element) => {
    const { left, top } = card.getBoundingClientRect();
    const at = (type: string, x: number) =>
      new MouseEvent(type, { bubbles: true, button: 0, clientX: left + x, clientY: top + 4 });
    card.dispatchEvent(at('mousedown', 4));
    document.dispatchEvent(at('mousemove', 24));
    return () => document.dispatchEvent(at('mouseup', 24));
  };

  it('ends with Escape, and nobody is moved', async () => {
    const world = serveBoard();
    const board = await openBoard();
    const letGo = lift(board.screen.getByText('Ana A1').first().element());
    await expect.poll(marks).toBeGreaterThan(0);
    await userEvent.keyboard('{Escape}');
    await expect.poll(marks).toBe(0);
    letGo();
    await expect.element(board.screen.getByText(/^Do you want to assign/)).not.toBeInTheDocument();
    expect([world.moves, board.closings()]).toEqual([[], 0]);
  });

  it('holds back what others change until it is over', async () => {
    const world = serveBoard();
    const board = await openBoard();
    const slotOf = (bedId: string) => document.querySelector(`[data-drop-bed="${bedId}"]`)?.textContent;
    const letGo = lift(board.screen.getByText('Ana A1').first().element());
    await expect.poll(marks).toBeGreaterThan(0);
    world.move('ben', 'e');
    await board.refresh();
    // What was loaded is drawn by the second frame.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    expect(slotOf('d')).toContain('Ben B2');
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => slotOf('e')).toContain('Ben B2');
    letGo();
  });

  it('lifts nobody when it is over before it was drawn', async () => {
    serveBoard();
    const board = await openBoard();
    const letGo = lift(board.screen.getByText('Ana A1').first().element());
    letGo();
    await expect.poll(marks).toBe(0);
    await userEvent.keyboard('{Escape}');
    await expect.poll(board.closings).toBe(1);
  });
});
