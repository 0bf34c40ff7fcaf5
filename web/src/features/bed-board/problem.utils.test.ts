import { describe, expect, it } from 'vitest';
import { apiErrorOf, NetworkError } from '@/api/errors';
import { bed, guest, guestShort, room } from '@/testing/bed-builders';
import { planOf } from './board.utils';
import { noticeOfGuest, noticeOfHome, problemOfDeviation, problemOfError } from './problem.utils';
import type { Board, Plan } from './types';

const ana = guestShort('ana');
const ben = guestShort('ben');
const board: Board = {
  houses: [
    room('1', [bed('a', { guest: ana }), bed('b'), bed('c', { guest: ben }), bed('d'), bed('e', { disabled: true })]),
  ],
  waiting: [],
};
const plan = planOf(board, 'ana', 'b') as Plan;
const home = { assignedBedId: 'a', bed: { id: 'a', name: 'Bed a', type: 'Detox', index: 0, imagePath: null } } as const;
const house = { id: '1', name: 'House 1', imagePath: null };
const named = { bedId: 'd', bedName: 'Bed d', roomName: 'House 1' };

function refusal(status: number, body: object) {
  return apiErrorOf(new Response(null, { status }), { message: 'The bed is taken.', ...body });
}

describe('problemOfError', () => {
  it('tells a taken bed and offers the next free one', () => {
    const fresh = guest('ana', { status: 'accepted', ...home, room: house });
    expect(problemOfError(refusal(409, { guest: fresh, nextFreeBed: named }), plan, board)).toMatchObject({
      key: 'failed',
      reason: { text: 'The bed is taken.' },
      offer: { bedId: 'd', bedName: 'Bed d', houseName: 'House 1' },
    });
  });
  it('tells where the guest has gone meanwhile', () => {
    const fresh = guest('ana', {
      status: 'reassigned',
      assignedBedId: 'z',
      bed: { ...home.bed, id: 'z', name: 'Bed z' },
      room: house,
    });
    expect(problemOfError(refusal(409, { guest: fresh }), plan, board)).toMatchObject({
      reason: { text: 'The bed is taken.', now: { key: 'now-in', values: { bed: 'Bed z', house: 'House 1' } } },
      offer: null,
    });
  });
  it('offers nothing to a guest who has left', () => {
    const fresh = guest('ana', { status: 'discharged' });
    expect(problemOfError(refusal(409, { guest: fresh, nextFreeBed: named }), plan, board)).toMatchObject({
      reason: { now: { key: 'now-discharged' } },
      offer: null,
    });
  });
  it('looks for a free bed itself when the answer names no guest', () =>
    expect(problemOfError(refusal(412, {}), plan, board).offer?.bedId).toBe('d'));
  it('offers the bed itself when nobody is left there to swap with', () => {
    const fresh = guest('ana', { status: 'accepted', ...home, room: house });
    const swap = planOf(board, 'ana', 'c') as Plan;
    const error = refusal(409, { code: 'bed-vacant', guest: fresh });
    expect(problemOfError(error, swap, board).offer).toEqual(swap.to);
  });
  it('passes on why a subscription is needed, without an offer', () =>
    expect(problemOfError(refusal(402, { code: 'subscription-needed' }), plan, board)).toMatchObject({
      reason: { text: 'The bed is taken.' },
      offer: null,
    }));
  it('says that the server cannot be reached', () =>
    expect(problemOfError(new NetworkError(), plan, board).reason?.text).toBe('The server cannot be reached.'));
  it('has no reason for what is no answer of the server', () =>
    expect(problemOfError(new Error('bug'), plan, board)).toMatchObject({ reason: null, offer: null }));
});

describe('noticeOfGuest', () => {
  it.each([
    ['pending', 'now-waiting'],
    ['rejected', 'now-rejected'],
    ['expired', 'now-expired'],
    ['discharged', 'now-discharged'],
    ['accepted', 'now-waiting'],
  ] as const)('%s without a bed reads %s', (status, key) =>
    expect(noticeOfGuest(guest('g', { status })).key).toBe(key),
  );
});

describe('noticeOfHome', () => {
  it('names the bed', () => expect(noticeOfHome(ana, board.houses[0]?.beds[0], true).key).toBe('now-in'));
  it('says that the guest waits', () => expect(noticeOfHome(ana, undefined, true).key).toBe('now-waiting'));
  it('says that the guest is gone', () => expect(noticeOfHome(ana, undefined, false).key).toBe('now-gone'));
});

describe('problemOfDeviation', () => {
  it('says where the guest is now, without an offer', () =>
    expect(problemOfDeviation('guest-moved', plan, board)).toMatchObject({
      reason: { now: { key: 'now-in' } },
      offer: null,
    }));
  it('says that the guest is gone', () =>
    expect(problemOfDeviation('guest-gone', plan, { houses: [], waiting: [] })).toMatchObject({
      guest: { id: 'ana' },
      reason: { now: { key: 'now-gone' } },
    }));
  it.each([
    ['bed-gone', 'gone', 'bed-gone', 'b'],
    ['bed-disabled', 'e', 'bed-disabled', 'd'],
    ['bed-changed', 'c', 'bed-taken', 'd'],
    ['bed-changed', 'd', 'bed-free', 'd'],
    ['bed-changed', 'gone', 'bed-gone', 'b'],
  ] as const)(
    '%s at %s reads %s and offers the bed itself if it is vacant by now, else the closest free one',
    (deviation, bedId, key, offered) => {
      const problem = problemOfDeviation(deviation, { ...plan, to: { ...plan.to, bedId } }, board);
      expect(problem.reason?.now?.key).toBe(key);
      expect(problem.offer?.bedId).toBe(offered);
    },
  );
});
