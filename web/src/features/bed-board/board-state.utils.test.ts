import { describe, expect, it } from 'vitest';
import { bed, guest, guestShort, room } from '@/testing/bed-builders';
import { carryOut, planOf } from './board.utils';
import { type BoardAction, boardReducer, type BoardState, INITIAL_STATE } from './board-state.utils';
import type { Problem } from './problem.utils';
import type { Board, Plan } from './types';

const ana = guestShort('ana');
const ben = guestShort('ben');
const wes = guest('wes');
const board: Board = {
  houses: [
    room('1', [bed('a', { guest: ana }), bed('b'), bed('c', { disabled: true })]),
    room('2', [bed('d', { guest: ben })]),
  ],
  waiting: [wes],
};
const plan = planOf(board, 'ana', 'b') as Plan;
const swap = planOf(board, 'ana', 'd') as Plan;
const failure: Problem = { key: 'failed', guest: ana, reason: null, offer: null };

/** The state after these actions. */
function after(...actions: readonly BoardAction[]): BoardState {
  return actions.reduce(boardReducer, INITIAL_STATE);
}

const start = (guestId = 'ana'): BoardAction => ({ type: 'toggle-mode', board, guestId });
const choose = (bedId: string): BoardAction => ({ type: 'choose', board, bedId });
const drop = (guestId: string, bedId: string | null, now = board): BoardAction => ({
  type: 'drop',
  guestId,
  bedId,
  seen: board,
  board: now,
});
const flight = { id: 1, plan };
const takeOff: BoardAction = { type: 'take-off', flight };

describe('starting Move mode', () => {
  it("tells how, and focuses the guest's own bed", () =>
    expect(after(start())).toMatchObject({
      mode: { homeBedId: 'a', stopBedId: 'a' },
      said: { notice: { key: 'how' } },
      focus: { on: 'bed', bedId: 'a' },
    }));
  it('focuses the first vacant bed for a guest who waits', () =>
    expect(after(start('wes'))).toMatchObject({
      mode: { homeBedId: null, stopBedId: 'b' },
      focus: { on: 'bed', bedId: 'b' },
    }));
  it('goes from one guest to another', () => expect(after(start(), start('ben')).mode?.guest.id).toBe('ben'));
  it('focuses Cancel when no bed can be chosen', () =>
    expect(after({ type: 'toggle-mode', guestId: 'wes', board: { houses: [], waiting: [wes] } })).toMatchObject({
      said: { notice: { key: 'no-beds' } },
      focus: { on: 'cancel' },
    }));
  it('does nothing for a guest who is not there', () => expect(after(start('nobody'))).toBe(INITIAL_STATE));
  it('waits for the guest whose move is on its way, and says so', () =>
    expect(after(takeOff, start())).toMatchObject({
      mode: null,
      problem: { key: 'refused', reason: { isPending: true } },
    }));
});

describe('ending Move mode', () => {
  it('returns the focus to the handle and says so', () =>
    expect(after(start(), { type: 'leave-mode' })).toMatchObject({
      mode: null,
      said: { notice: { key: 'cancelled' }, turn: 2 },
      focus: { on: 'handle', guestId: 'ana' },
    }));
  it('ends by pressing the handle again', () => expect(after(start(), start()).mode).toBeNull());
  it('does nothing outside the mode', () => expect(after({ type: 'leave-mode' })).toBe(INITIAL_STATE));
});

describe('walking', () => {
  it('moves the one tab stop and the focus', () =>
    expect(after(start(), { type: 'step', board, key: 'ArrowRight', columns: 4 })).toMatchObject({
      mode: { stopBedId: 'b' },
      focus: { on: 'bed', bedId: 'b' },
    }));
  it('needs the mode', () => expect(after({ type: 'step', board, key: 'ArrowRight', columns: 4 })).toBe(INITIAL_STATE));
});

describe('choosing', () => {
  it('asks before assigning; the mode stays on', () =>
    expect(after(start(), choose('b'))).toMatchObject({ question: { plan, by: 'mode' }, mode: { stopBedId: 'b' } }));
  it('asks before swapping', () => expect(after(start(), choose('d')).question?.plan).toEqual(swap));
  it('calls the own bed an error; the mode stays on', () =>
    expect(after(start(), choose('a'))).toMatchObject({
      problem: { key: 'own' },
      said: { notice: { key: 'own' } },
      question: null,
      mode: { guest: ana },
    }));
  it('refuses an occupied bed to a guest without one', () =>
    expect(after(start('wes'), choose('d')).problem?.key).toBe('nowhere'));
  it('needs the mode', () => expect(after(choose('b'))).toBe(INITIAL_STATE));
  it('returns to the bed when the question is cancelled', () =>
    expect(after(start(), choose('b'), { type: 'cancel-question' })).toMatchObject({
      question: null,
      mode: { guest: ana },
      focus: { on: 'bed', bedId: 'b' },
    }));
});

describe('dragging', () => {
  it('ends Move mode and the last error', () =>
    expect(after(start(), choose('a'), { type: 'drag', guestId: 'ben' })).toMatchObject({
      mode: null,
      problem: null,
      draggedGuestId: 'ben',
    }));
  it('asks for a drop on a vacant bed', () =>
    expect(after({ type: 'drag', guestId: 'ana' }, drop('ana', 'b'))).toMatchObject({
      draggedGuestId: null,
      question: { plan, by: 'drag' },
      focus: { on: 'handle', guestId: 'ana', keepsScroll: true },
    }));
  it('calls a drop on nothing an error', () => expect(after(drop('ana', null)).problem?.key).toBe('nowhere'));
  it('calls a drop on a disabled bed an error', () => expect(after(drop('ana', 'c')).problem?.key).toBe('nowhere'));
  it('calls a drop on the own bed an error', () => expect(after(drop('ana', 'a')).problem?.key).toBe('own'));
  it('ignores a guest who is not there', () => expect(after(drop('nobody', 'b')).question).toBeNull());
  it('waits for the guest whose move is on its way, and says so', () =>
    expect(after(takeOff, drop('ana', 'd'))).toMatchObject({
      question: null,
      problem: { reason: { isPending: true } },
    }));
  it('says of a bed on offer that it is promised', () => {
    const offered = bed('e', { offeredUntil: '2026-11-28T14:00:00.000Z' });
    const seen = { ...board, houses: [...board.houses, room('3', [offered])] };
    expect(after({ ...drop('ana', 'e', seen), seen } as BoardAction).problem?.key).toBe('offered');
  });
  it('tells instead of asking when the bed was taken during the drag', () => {
    const now = carryOut(board, planOf(board, 'ben', 'b') as Plan);
    expect(after(drop('ana', 'b', now))).toMatchObject({
      question: null,
      problem: { key: 'failed', reason: { now: { key: 'bed-taken' } }, offer: { bedId: 'd' } },
    });
  });
  it('cancels without an error', () =>
    expect(after({ type: 'drag', guestId: 'ana' }, { type: 'cancel-drag' })).toEqual(INITIAL_STATE));
  it('returns to the handle when the question is cancelled', () =>
    expect(after(drop('ana', 'b'), { type: 'cancel-question' }).focus).toEqual({ on: 'handle', guestId: 'ana' }));
  it('has no question to cancel', () => expect(after({ type: 'cancel-question' })).toBe(INITIAL_STATE));
});

describe('a move on its way', () => {
  it('ends the mode and focuses the handle', () =>
    expect(after(start(), choose('b'), takeOff)).toMatchObject({
      mode: null,
      question: null,
      flights: [flight],
      focus: { on: 'handle', guestId: 'ana' },
    }));
  it('says where the guest is now', () =>
    expect(after(takeOff, { type: 'land', flight })).toMatchObject({
      flights: [{ id: 1, hasLanded: true }],
      done: plan,
      said: { notice: { key: 'moved', values: { guest: 'Ana ANA', bed: 'Bed b', house: 'House 1' } } },
    }));
  it('ends when the loaded board shows it', () =>
    expect(after(takeOff, { type: 'land', flight }, { type: 'end-flights', ids: [1] }).flights).toEqual([]));
  it('lets the guest be moved again once the server has said yes', () =>
    expect(after(takeOff, { type: 'land', flight }, start()).mode?.guest.id).toBe('ana'));
  it('says where both are after a swap', () =>
    expect(after({ type: 'land', flight: { id: 2, plan: swap } }).said?.notice).toMatchObject({
      key: 'swapped',
      values: { other: 'Ana BEN', otherBed: 'Bed a', otherHouse: 'House 1' },
    }));
  it('is rolled back when it fails, with the focus on the handle', () =>
    expect(after(takeOff, { type: 'fail', flightId: 1, problem: failure })).toMatchObject({
      flights: [],
      problem: failure,
      said: { notice: { key: 'failed' } },
      focus: { on: 'handle', guestId: 'ana' },
    }));
  it('does not pull the user out of the next move when it fails', () => {
    const state = after(takeOff, start('ben'), { type: 'fail', flightId: 1, problem: failure });
    expect(state).toMatchObject({ mode: { guest: ben }, problem: failure, focus: { on: 'bed', bedId: 'd' } });
  });
  it('ends the mode when the plan was found to be old before it was sent', () =>
    expect(after(start(), choose('b'), { type: 'fail', flightId: null, problem: failure })).toMatchObject({
      mode: null,
      question: null,
      focus: { on: 'handle' },
    }));
  it('leaves the error until it is dismissed', () =>
    expect(after({ type: 'fail', flightId: 1, problem: failure }, { type: 'dismiss-problem' }).problem).toBeNull());
});

describe('changes made elsewhere', () => {
  const changed = (now: Board): BoardAction => ({ type: 'board-changed', board: now });
  it('do not matter outside the mode', () => expect(after(changed(board))).toBe(INITIAL_STATE));
  it('leave the focus alone when they concern others', () => {
    const state = after(start());
    expect(boardReducer(state, changed(carryOut(board, planOf(board, 'ben', 'b') as Plan)))).toBe(state);
  });
  it('end the mode when the guest was moved, and say where to', () => {
    const state = after(start(), choose('d'), changed(carryOut(board, plan)));
    expect(state).toMatchObject({
      mode: null,
      question: null,
      said: { notice: { key: 'now-in', values: { bed: 'Bed b' } } },
      focus: { on: 'handle', guestId: 'ana' },
    });
  });
  it('end the mode when the guest is gone', () =>
    expect(after(start('wes'), changed({ ...board, waiting: [] }))).toMatchObject({
      mode: null,
      said: { notice: { key: 'now-gone' } },
      focus: null,
    }));
  it('end the mode when the guest waits again', () =>
    expect(after(start(), changed({ houses: [], waiting: [guest('ana')] })).said?.notice.key).toBe('now-waiting'));
  it('renew what is known of the guest', () => {
    const fresh = guestShort('ana', { version: 2 });
    const now = { ...board, houses: [room('1', [bed('a', { guest: fresh }), bed('b')])] };
    expect(after(start(), changed(now)).mode?.guest.version).toBe(2);
  });
  it('move the focus off a bed that was disabled', () => {
    const now = { ...board, houses: [room('1', [bed('a', { guest: ana }), bed('b', { disabled: true })])] };
    const state = after(start(), { type: 'step', board, key: 'ArrowRight', columns: 4 }, changed(now));
    expect(state).toMatchObject({ mode: { stopBedId: 'a' }, focus: { on: 'bed', bedId: 'a' } });
  });
  it('move the focus to Cancel when no bed is left', () => {
    const state = after(start('wes'), changed({ houses: [], waiting: [wes] }));
    expect(state).toMatchObject({ mode: { stopBedId: null }, focus: { on: 'cancel' } });
    expect(boardReducer(state, changed({ houses: [], waiting: [wes] }))).toBe(state);
  });
});
