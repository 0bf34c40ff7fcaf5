import { Profiler } from 'react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadTexts } from '@/i18n/i18n';
import { serverNow } from '@/lib/clock';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { Providers } from '@/app/providers';
import { expectNoViolations } from '@/testing/axe';
import { serveBoard } from '@/testing/board-world';
import { openBoard, startAna } from '@/testing/open-board';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { MoveGuestsBoard } from './move-guests-board';

const intake = currentUser({ role_intake_site_ids: 's1' });

/** A guest from the search, whose hold ends in nearly 72 hours. */
const waitingGuest = (id: string) =>
  guest(id, { source: 'Web', expiresAt: new Date(serverNow() + 71 * 3_600_000 + 59.5 * 60_000).toISOString() });

/** A drag is several movements: the first only starts it. */
const MOVES = { steps: 8 };

afterEach(() => {
  tellUserForgotten();
  vi.restoreAllMocks();
  writePreference('colorScheme', 'light');
});

describe('Move mode', () => {
  it('moves a guest by the keyboard alone and says so', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await startAna(board);
    await expect.poll(board.said).toContain('Moving Ana A1.');
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(board.focused).toBe('Assign to Bed b, House 1');
    await userEvent.keyboard('{PageDown}{End}');
    await expect.poll(board.focused).toBe('Assign to Bed e, House 2');
    await userEvent.keyboard('{Enter}');
    await expect
      .element(board.screen.getByText('Do you want to assign Ana A1 from Bed a, House 1 to Bed e, House 2 ?'))
      .toBeVisible();
    await expect.poll(board.focused).toBe('Assign');
    // By a person who has read the question; an Enter at once would belong to the one that opened it.
    await userEvent.keyboard('{Shift}{Enter}');
    await expect.poll(board.focused).toBe('Move Ana A1');
    await expect.poll(board.said).toBe('Ana A1 is now in Bed e, House 2.');
    expect(document.activeElement?.closest('section')?.textContent).toContain('House 2');
    expect(world.moves).toMatchObject([{ guestId: 'ana', status: 'REASSIGNED', bedId: 'e', version: 1 }]);
  });

  it('a double click on Move picks the guest and does not put the guest back', async () => {
    serveBoard();
    const board = await openBoard();
    await board.press('Move Ana A1').dblClick();
    await expect.poll(board.said).toContain('Moving Ana A1.');
    await expect.element(board.press('Cancel')).toBeVisible();
  });

  it('is one tab stop, followed by Cancel', async () => {
    serveBoard();
    const board = await openBoard();
    await startAna(board);
    const stops = document.querySelectorAll('[data-choice][tabindex="0"]');
    expect(stops.length).toBe(1);
    await userEvent.keyboard('{Tab}');
    await expect.poll(board.focused).toBe('Cancel');
  });

  it('swaps two guests by single clicks', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await board.press('Move Ana A1').click();
    await board.press('Swap with Ben B2, Bed d, House 2').click();
    await expect
      .element(board.screen.getByText(/^Do you want to swap Ana A1 in Bed a, House 1 with Ben B2/))
      .toBeVisible();
    await board.press('Swap').click();
    await expect.poll(board.said).toBe('Ana A1 is now in Bed d, House 2. Ben B2 is now in Bed a, House 1.');
    expect(world.moves[0]).toMatchObject({ status: 'SWAP', bedId: 'd' });
  });

  it('accepts a waiting guest and refuses an occupied bed with its reason', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await board.press('Move Wes W3').click();
    const taken = board.press('Bed a, House 1, occupied by Ana A1');
    await expect.element(taken).toHaveAttribute('aria-disabled', 'true');
    await expect.element(taken).toHaveAccessibleDescription(/cannot be swapped/);
    await expect.poll(board.focused).toBe('Assign to Bed b, House 1');
    await userEvent.keyboard('{Enter}');
    await board.press('Assign').click();
    await expect.poll(board.said).toBe('Wes W3 is now in Bed b, House 1.');
    await expect.element(board.screen.getByText('Waiting for a bed')).not.toBeInTheDocument();
    expect(world.moves[0]).toMatchObject({ guestId: 'wes', status: 'ACCEPTED', bedId: 'b' });
  });

  it("calls the guest's own bed an error and stays on", async () => {
    serveBoard();
    const board = await openBoard();
    await startAna(board);
    await userEvent.keyboard('{Enter}');
    await expect.poll(board.said).toBe('Error: Guest already occupies this bed.');
    await expect.element(board.press('Move Ana A1')).toHaveAttribute('aria-pressed', 'true');
  });

  it('gives Escape to the innermost: question, mode, board', async () => {
    serveBoard();
    const board = await openBoard();
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await expect.element(board.screen.getByText(/^Do you want to assign/)).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.poll(board.focused).toBe('Assign to Bed b, House 1');
    await userEvent.keyboard('{Escape}');
    await expect.poll(board.focused).toBe('Move Ana A1');
    await expect.poll(board.said).toBe('Moving Ana A1 was cancelled.');
    expect(board.closings()).toBe(0);
    await userEvent.keyboard('{Escape}');
    await expect.poll(board.closings).toBe(1);
  });
});

describe('a refused move', () => {
  it('is rolled back, explained, and offers the next free bed by one press', async () => {
    let isFirst = true;
    const world = serveBoard((update, guestId) => {
      if (!isFirst) return undefined;
      isFirst = false;
      expect(update.bedId).toBe('b');
      return problem(409, 'Bed b has just been taken.', {
        guest: world.whole(guestId),
        nextFreeBed: { bedId: 'e', bedName: 'Bed e', roomName: 'House 2' },
      });
    });
    const board = await openBoard();
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await board.press('Assign').click();
    const panel = board.screen.getByRole('alert').filter({ hasText: 'Bed b has just been taken.' });
    await expect.element(panel.first()).toBeVisible();
    await expect.poll(board.focused).toBe('Move Ana A1');
    await expect.poll(board.said).toContain('was not moved');
    await expect.poll(board.said).toContain('Bed b has just been taken.');
    await expect.element(board.screen.getByText(/^Do you want to assign/)).not.toBeInTheDocument();
    await expectNoViolations();
    await board.press('Assign Ana A1 to Bed e, House 2').click();
    await expect.poll(board.said).toBe('Ana A1 is now in Bed e, House 2.');
    expect(world.moves.map(({ bedId }) => bedId)).toEqual(['b', 'e']);
  });

  it('passes on that a subscription is needed', async () => {
    serveBoard(() => problem(402, 'This site has no active subscription.', { code: 'subscription-needed' }));
    const board = await openBoard();
    await board.press('Move Wes W3').click();
    await board.press('Assign to Bed b, House 1').click();
    await board.press('Assign').click();
    await expect
      .element(
        board.screen.getByText('Wes W3 to Bed b, House 1: This site has no active subscription.', { exact: true }),
      )
      .toBeVisible();
    await expect.element(board.press('Move Wes W3')).toBeVisible();
  });
});

describe('a change made elsewhere', () => {
  /** Ana is in Move mode, and somebody else moves her. */
  async function endMode() {
    const world = serveBoard();
    const board = await openBoard();
    await startAna(board);
    world.move('ana', 'e');
    await board.refresh();
    return board;
  }

  it('applies at once in Move mode while the focus stays on its bed', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(board.focused).toBe('Assign to Bed b, House 1');
    world.move('ben', 'b');
    await board.refresh();
    await expect.poll(board.focused).toBe('Swap with Ben B2, Bed b, House 1');
  });

  it('ends the mode when it moves the same guest, and says where to', async () => {
    const board = await endMode();
    await expect.poll(board.said).toBe('Someone else changed this: Ana A1 is now in Bed e, House 2.');
    await expect.poll(board.focused).toBe('Move Ana A1');
    const message = document.querySelector('.mantine-Notification-root');
    expect(message?.textContent).toContain('Ana A1 is now in Bed e, House 2.');
  });

  it('takes the Escape that was meant for the mode it ended; the next one closes the board', async () => {
    const board = await endMode();
    await expect.poll(board.focused).toBe('Move Ana A1');
    await userEvent.keyboard('{Escape}');
    expect(board.closings()).toBe(0);
    await userEvent.keyboard('{Escape}');
    await expect.poll(board.closings).toBe(1);
  });

  it('leaves the focus on the guest whom it moves, and on the dialog when it takes the guest away', async () => {
    const world = serveBoard();
    const board = await openBoard();
    (board.press('Move Ana A1').element() as HTMLElement).focus();
    world.move('ana', 'e');
    await board.refresh();
    await expect.poll(() => document.activeElement?.closest('section')?.textContent).toContain('House 2');
    expect(board.focused()).toBe('Move Ana A1');
    serve(
      answerGet('/api/Sites/s1', siteDetails([room('1', [bed('a')])])),
      answerGet('/api/Guests', onePage([world.whole('wes')])),
    );
    await board.refresh();
    await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('dialog');
  });

  it('does not bring the focus back that the user has taken from a guest', async () => {
    const world = serveBoard();
    const board = await openBoard();
    (board.press('Move Ana A1').element() as HTMLElement).focus();
    const head = board.screen.getByText('House 1', { exact: true }).element();
    head.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    (document.activeElement as HTMLElement).blur();
    world.move('ana', 'e');
    await board.refresh();
    await expect.element(board.screen.getByText('Bed e').first()).toBeVisible();
    await expect.poll(() => board.press('Move Ana A1').element().closest('section')?.textContent).toContain('House 2');
    expect(document.activeElement).toBe(document.body);
  });

  it('is told instead of sent when it comes between question and answer', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await expect.element(board.screen.getByText(/^Do you want to assign/)).toBeVisible();
    world.move('ben', 'b');
    await board.refresh();
    await expect.poll(() => document.querySelector('[data-choice="d"]')?.getAttribute('data-verdict')).toBe('assign');
    await board.press('Assign').click();
    await expect
      .element(
        board.screen.getByText('Someone else changed this: Bed b in House 1 is now taken by Ben B2.', { exact: true }),
      )
      .toBeVisible();
    expect(world.moves).toEqual([]);
    await expect.element(board.press('Assign Ana A1 to Bed d, House 2')).toBeVisible();
  });
});

describe('a move whose outcome is not known', () => {
  const slotOf = (bedId: string) => document.querySelector(`[data-drop-bed="${bedId}"]`)?.textContent;
  const setOnline = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  /** Whether the browser would ask before the page is left. */
  const warnsOnLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  async function moveAnaToB(board: Awaited<ReturnType<typeof openBoard>>) {
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await board.press('Assign').click();
  }

  it('is marked as not sent while there is no network, and sent when it is back', async () => {
    setOnline(false);
    let isDown = true;
    const world = serveBoard(() => (isDown ? (HttpResponse.error() as Response) : undefined));
    const board = await openBoard();
    await moveAnaToB(board);
    await expect.poll(() => slotOf('b')).toContain('Ana A1');
    await expect.poll(() => slotOf('b')).toContain('Not sent');
    await expect.poll(board.said).toContain('Not sent yet: Ana A1 to Bed b, House 1.');
    expect(board.said()).not.toContain('was not moved');
    expect(warnsOnLeaving()).toBe(true);
    await expectNoViolations();
    isDown = false;
    setOnline(true);
    window.dispatchEvent(new Event('online'));
    await expect.poll(board.said).toBe('Ana A1 is now in Bed b, House 1.');
    await expect.poll(() => slotOf('b')).not.toContain('Not sent');
    expect(warnsOnLeaving()).toBe(false);
    expect(new Set(world.keys).size).toBe(1);
  });

  it('is marked as not confirmed while the answer is lost, and never called a failure when it was done', async () => {
    const world = serveBoard();
    world.loseAnswers(1);
    const board = await openBoard();
    await moveAnaToB(board);
    await expect.poll(() => slotOf('b')).toContain('Not confirmed');
    await expect.poll(board.said).toContain('Not confirmed yet: Ana A1 to Bed b, House 1.');
    expect(board.said()).not.toContain('was not moved');
    await expect.poll(board.said).toBe('Ana A1 is now in Bed b, House 1.');
    expect(world.moves).toHaveLength(1);
    expect(world.keys).toHaveLength(2);
    expect(new Set(world.keys).size).toBe(1);
  });

  it('is still there when the board is opened again', async () => {
    setOnline(false);
    let isDown = true;
    serveBoard(() => (isDown ? (HttpResponse.error() as Response) : undefined));
    const board = await openBoard();
    await moveAnaToB(board);
    await expect.poll(() => slotOf('b')).toContain('Not sent');
    await board.screen.unmount();
    const again = await openBoard();
    await expect.poll(() => slotOf('b')).toContain('Not sent');
    expect(slotOf('a')).not.toContain('Ana A1');
    isDown = false;
    setOnline(true);
    window.dispatchEvent(new Event('online'));
    await expect.poll(again.said).toBe('Ana A1 is now in Bed b, House 1.');
  });

  it('is told by a message when the board is gone by then', async () => {
    setOnline(false);
    let isDown = true;
    serveBoard(() => (isDown ? (HttpResponse.error() as Response) : undefined));
    const board = await openBoard();
    await moveAnaToB(board);
    await expect.poll(() => slotOf('b')).toContain('Not sent');
    await board.screen.rerender(<Providers queryClient={board.screen.queryClient}>nothing</Providers>);
    isDown = false;
    setOnline(true);
    window.dispatchEvent(new Event('online'));
    await expect.element(page.getByText(/is now in House 1 \/ Bed b\./)).toBeVisible();
  });

  it('two presses on Assign are one move', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await board.press('Assign').dblClick();
    await expect.poll(board.said).toBe('Ana A1 is now in Bed b, House 1.');
    expect(world.moves).toHaveLength(1);
  });
});

describe('undo', () => {
  it('takes a move back while the old bed is vacant', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await startAna(board);
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await board.press('Assign').click();
    await board.press('Undo: Ana A1 back to Bed a').click();
    await expect.poll(board.said).toBe('Ana A1 is now in Bed a, House 1.');
    expect(world.moves.map(({ bedId, version }) => [bedId, version])).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
  });

  it('takes the accept of a waiting guest back from its message', async () => {
    const world = serveBoard();
    const board = await openBoard();
    await board.press('Move Wes W3').click();
    await userEvent.keyboard('{Enter}');
    await board.press('Assign').click();
    await expect.poll(board.said).toBe('Wes W3 is now in Bed b, House 1.');
    await board.screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.element(board.screen.getByText('Waiting for a bed')).toBeVisible();
    expect(world.moves.map(({ status, bedId, version }) => [status, bedId, version])).toEqual([
      ['ACCEPTED', 'b', 1],
      ['UNDO', null, 2],
    ]);
  });
});

describe('a site of 500 beds', () => {
  const letters = ['a', 'b', 'c', 'd', 'e'];
  const world = () => {
    const houses = Array.from({ length: 100 }, (_, house) =>
      room(
        `h${house}`,
        letters.map((letter) => bed(`${house}${letter}`, letter === 'a' ? { guest: guestShort(`${house}`) } : {})),
      ),
    );
    serve(answerGet('/api/Sites/s1', siteDetails(houses)), answerGet('/api/Guests', onePage([])));
  };
  const slot = (id: string) => document.querySelector(`[data-drop-bed="${id}"]`) as HTMLElement;
  const card = (id: string) => slot(id).querySelector('[data-drag-guest]') as HTMLElement;
  const drawn = () => document.querySelectorAll('[data-drop-bed]').length;
  const open = async () => {
    world();
    const steps: number[] = [];
    await renderView(
      <Profiler id="board" onRender={() => steps.push(drawn())}>
        <MoveGuestsBoard subject="s1" onClose={() => undefined} />
      </Profiler>,
      { user: intake },
    );
    await expect.poll(drawn).toBe(500);
    return steps;
  };

  it('shows the houses that fill a window first, and all of them after', async () => {
    const steps = await open();
    expect(steps.find((beds) => beds > 0)).toBe(60);
  });

  it('marks only the card and the bed below it while a guest is carried', async () => {
    await open();
    const changed = new Set<string>();
    const observer = new MutationObserver((changes) => {
      for (const { type, attributeName, target } of changes) {
        const at = (target as Element).closest('[data-drop-bed]')?.getAttribute('data-drop-bed') ?? 'beside';
        changed.add(`${at}: ${type === 'attributes' ? attributeName : 'content'}`);
      }
    });
    const houses = slot('0a').closest('[data-board]')?.querySelector('section')?.parentElement as HTMLElement;
    observer.observe(houses, { subtree: true, childList: true, attributes: true, characterData: true });
    await userEvent.dragAndDrop(card('0a'), slot('1b'), MOVES);
    await expect.element(page.getByText(/^Do you want to assign/)).toBeVisible();
    observer.disconnect();
    expect(changed.has('0a: data-dragging')).toBe(true);
    expect(changed.has('1b: data-over')).toBe(true);
    expect([...changed].filter((change) => !/: data-(dragging|over)$/.test(change))).toEqual([]);
    expect(document.querySelectorAll('[data-dragging], [data-over], [data-lifting]').length).toBe(0);
  });

  it('counts a guest let go in the gap beside a bed as let go on it', async () => {
    await open();
    const { width } = slot('1b').getBoundingClientRect();
    await userEvent.dragAndDrop(card('0a'), slot('1b'), {
      ...MOVES,
      // In the 12 px between it and 1c.
      targetPosition: { x: width + 4, y: 20 },
      force: true,
    });
    await expect.element(page.getByText(/from Bed 0a, House h0 to Bed 1b, House h1/)).toBeVisible();
  });
});

describe('the board', () => {
  it('gives staff no handles', async () => {
    serveBoard();
    const board = await openBoard(currentUser({ role_staff_site_ids: 's1' }));
    await expect.element(board.press('Move Ana A1')).not.toBeInTheDocument();
    await expect.element(board.screen.getByText('Ana A1').first()).toBeVisible();
  });

  it.each(['light', 'dark'] as const)(
    'has no accessibility violation in %s, in and out of Move mode',
    async (scheme) => {
      writePreference('colorScheme', scheme);
      serveBoard();
      const board = await openBoard();
      await expectNoViolations();
      await board.press('Move Wes W3').click();
      await expect.poll(board.focused).toBe('Assign to Bed b, House 1');
      await expectNoViolations();
    },
  );
});

describe('the guests who wait', () => {
  it.each([16, 32])(
    'show code and time on lines of their own, inside their cards on a phone, at %i px text',
    async (size) => {
      await page.viewport(390, 844);
      document.documentElement.style.fontSize = `${size}px`;
      try {
        await loadTexts('guests');
        serveBoard();
        serve(http.get('/api/Guests', () => HttpResponse.json(onePage([waitingGuest('wes'), waitingGuest('eva')]))));
        const board = await openBoard();
        const time = board.screen.getByText('71 h 59 min left').first();
        await expect.element(time).toBeVisible();
        const state = time.element().parentElement;
        const card = state?.parentElement;
        const [timeBox, codeBox, cardBox] = [time.element(), state?.firstElementChild, card].map(
          (element) => element?.getBoundingClientRect() ?? new DOMRect(),
        );
        expect(timeBox?.top).toBeGreaterThanOrEqual(codeBox?.bottom ?? Infinity);
        expect(timeBox?.right).toBeLessThanOrEqual(cardBox?.right ?? 0);
        expect(timeBox?.bottom).toBeLessThanOrEqual(cardBox?.bottom ?? 0);
        expect(state?.scrollWidth).toBeLessThanOrEqual(state?.clientWidth ?? 0);
      } finally {
        document.documentElement.style.fontSize = '';
        await page.viewport(1360, 900);
      }
    },
  );
});
