import { describe, expect, it } from 'vitest';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import {
  assignmentOf,
  bedOfGuest,
  bedsOf,
  carryOut,
  deviationOf,
  findBed,
  findGuest,
  firstHouses,
  firstStop,
  judge,
  nextFreePlace,
  planOf,
  reverseOf,
  statusOf,
  toBoard,
  availableBeds,
  totalsOf,
} from './board.utils';
import type { Board, Plan } from './types';

const ana = guestShort('ana');
const ben = guestShort('ben');
const wes = guest('wes');

/** House 1: Ana, vacant, disabled. House 2: Ben, vacant. Waiting: Wes. */
function makeBoard(): Board {
  return {
    houses: [
      room('1', [bed('a', { guest: ana }), bed('b'), bed('c', { disabled: true })]),
      room('2', [bed('d', { guest: ben }), bed('e')]),
    ],
    waiting: [wes],
  };
}

function planned(guestId: string, bedId: string, on = makeBoard()): Plan {
  const plan = planOf(on, guestId, bedId);
  if (!plan) throw new Error('no plan');
  return plan;
}

function occupants(board: Board): Record<string, string | null> {
  return Object.fromEntries(bedsOf(board).map((one) => [one.id, one.guest?.id ?? null]));
}

describe('toBoard', () => {
  it('draws a guest who is in a bed once, also while the guests that are loaded say that they wait', () => {
    const site = siteDetails([room('1', [bed('a', { guest: guestShort('p') })])]);
    expect(toBoard(site, [guest('p'), guest('q')]).waiting.map(({ id }) => id)).toEqual(['q']);
  });

  it('lets only pending guests wait', () => {
    const site = siteDetails([room('1', [])]);
    const board = toBoard(site, [guest('p'), guest('q', { status: 'accepted' })]);
    expect(board.waiting.map(({ id }) => id)).toEqual(['p']);
    expect(board.houses).toBe(site.rooms);
  });
  it('lets the guest with the shortest hold wait first, and those without a hold last', () => {
    const guests = [
      guest('by-hand'),
      guest('long', { expiresAt: '2026-11-23T10:00:00Z' }),
      guest('short', { expiresAt: '2026-11-21T10:00:00Z' }),
    ];
    expect(toBoard(siteDetails([]), guests).waiting.map(({ id }) => id)).toEqual(['short', 'long', 'by-hand']);
  });
});

describe('looking up', () => {
  const board = makeBoard();
  it('finds beds and guests, placed or waiting', () => {
    expect(findBed(board, 'd')?.name).toBe('Bed d');
    expect(bedOfGuest(board, 'ben')?.id).toBe('d');
    expect(findGuest(board, 'ana')).toBe(ana);
    expect(findGuest(board, 'wes')).toBe(wes);
  });
  it('finds nothing for what is not there', () => {
    expect(findBed(board, 'x')).toBeUndefined();
    expect(bedOfGuest(board, 'wes')).toBeUndefined();
    expect(findGuest(board, 'x')).toBeUndefined();
  });
  it('promises vacant beds that no reservation holds, never below 0', () =>
    expect([
      availableBeds({ vacant: 5, offered: 0 }, 2),
      availableBeds({ vacant: 5, offered: 1 }, 2),
      availableBeds({ vacant: 1, offered: 0 }, 2),
    ]).toEqual([3, 2, 0]));
  it('counts beds by state', () =>
    expect(totalsOf(board)).toEqual({ vacant: 2, offered: 0, occupied: 2, disabled: 1 }));
  it('counts a bed on offer as vacant, not as available', () => {
    const houses = [room('1', [bed('a', { offeredUntil: '2026-11-28T14:00:00.000Z' }), bed('b')])];
    expect(totalsOf({ houses, waiting: [] })).toMatchObject({ vacant: 2, offered: 1 });
  });
});

describe('judge', () => {
  it.each([
    ['a', 'ana', true, 'own'],
    ['b', 'ana', true, 'assign'],
    ['c', 'ana', true, 'disabled'],
    ['d', 'ana', true, 'swap'],
    ['d', 'wes', false, 'occupied'],
    ['e', 'wes', false, 'assign'],
  ] as const)('bed %s for %s (has a bed: %s): %s', (bedId, guestId, hasBed, verdict) => {
    const one = findBed(makeBoard(), bedId);
    expect(one && judge(one, guestId, hasBed)).toBe(verdict);
  });
});

describe('planOf', () => {
  it('assigns to a vacant bed, with both places', () =>
    expect(planned('ana', 'e')).toEqual({
      kind: 'assign',
      guest: ana,
      from: { bedId: 'a', bedName: 'Bed a', houseName: 'House 1' },
      to: { bedId: 'e', bedName: 'Bed e', houseName: 'House 2' },
      other: null,
    }));
  it('swaps with the guest of an occupied bed', () =>
    expect(planned('ana', 'd')).toMatchObject({ kind: 'swap', other: { id: 'ben' } }));
  it('places a waiting guest from nowhere', () => expect(planned('wes', 'b').from).toBeNull());
  it.each([
    ['ana', 'a'],
    ['ana', 'c'],
    ['wes', 'd'],
    ['nobody', 'b'],
    ['ana', 'nowhere'],
  ])('has no plan for %s to %s', (guestId, bedId) => expect(planOf(makeBoard(), guestId, bedId)).toBeNull());
});

describe('statusOf', () => {
  it('accepts who waits, reassigns who has a bed, swaps with who holds it', () => {
    expect(statusOf(planned('wes', 'b'))).toBe('ACCEPTED');
    expect(statusOf(planned('ana', 'b'))).toBe('REASSIGNED');
    expect(statusOf(planned('ana', 'd'))).toBe('SWAP');
  });
});

describe('deviationOf', () => {
  const plan = planned('ana', 'b');
  const swap = planned('ana', 'd');
  const [first, second] = makeBoard().houses;
  const withFirst = (...beds: ReturnType<typeof bed>[]): Board => ({
    houses: [room('1', beds), ...(second ? [second] : [])],
    waiting: [],
  });
  it('is null while nothing has changed', () => expect(deviationOf(makeBoard(), plan)).toBeNull());
  it('sees that the guest has gone', () => expect(deviationOf(withFirst(bed('a'), bed('b')), plan)).toBe('guest-gone'));
  it('sees that the guest was moved', () =>
    expect(deviationOf(withFirst(bed('a'), bed('b'), bed('z', { guest: ana })), plan)).toBe('guest-moved'));
  it('sees that the bed has gone', () =>
    expect(deviationOf(withFirst(bed('a', { guest: ana })), plan)).toBe('bed-gone'));
  it('sees that the bed was disabled', () =>
    expect(deviationOf(withFirst(bed('a', { guest: ana }), bed('b', { disabled: true })), plan)).toBe('bed-disabled'));
  it('sees that the bed was taken', () =>
    expect(deviationOf(withFirst(bed('a', { guest: ana }), bed('b', { guest: guestShort('x') })), plan)).toBe(
      'bed-changed',
    ));
  it('sees that the guest to swap with has left', () =>
    expect(deviationOf({ houses: [...(first ? [first] : []), room('2', [bed('d')])], waiting: [] }, swap)).toBe(
      'bed-changed',
    ));
});

describe('carryOut', () => {
  it('moves a guest and counts anew', () => {
    const after = carryOut(makeBoard(), planned('ana', 'e'));
    expect(occupants(after)).toEqual({ a: null, b: null, c: null, d: 'ben', e: 'ana' });
    expect(after.houses.map((house) => [house.vacantBedsCount, house.occupiedBedsCount, house.hasAnyGuests])).toEqual([
      [2, 0, false],
      [0, 2, true],
    ]);
    expect(findBed(after, 'a')?.isOccupied).toBe(false);
  });
  it('exchanges two guests', () =>
    expect(occupants(carryOut(makeBoard(), planned('ana', 'd')))).toMatchObject({ a: 'ben', d: 'ana' }));
  it('takes a placed guest off the waiting list', () => {
    const after = carryOut(makeBoard(), planned('wes', 'b'));
    expect(after.waiting).toEqual([]);
    expect(occupants(after).b).toBe('wes');
  });
  it('places a guest who has already left the waiting list', () =>
    expect(occupants(carryOut({ ...makeBoard(), waiting: [] }, planned('wes', 'b'))).b).toBe('wes'));
  it('writes what the server has stamped', () =>
    expect(findGuest(carryOut(makeBoard(), planned('ana', 'b'), { version: 9 }), 'ana')?.version).toBe(9));
  it('keeps the identity of what it does not touch', () => {
    const before = makeBoard();
    const after = carryOut(before, planned('ana', 'b'));
    expect(after.houses[1]).toBe(before.houses[1]);
    expect(after.waiting).toBe(before.waiting);
    expect(findBed(after, 'c')).toBe(findBed(before, 'c'));
  });
  it('changes nothing where the board no longer fits', () => {
    const moved = carryOut(makeBoard(), planned('ben', 'b'));
    expect(carryOut(moved, planned('ana', 'b'))).toBe(moved);
  });
});

describe('reverseOf', () => {
  it('leads back to the old bed', () => {
    const plan = planned('ana', 'e');
    const after = carryOut(makeBoard(), plan);
    const back = reverseOf(plan);
    expect(back && deviationOf(after, back)).toBeNull();
    expect(back && occupants(carryOut(after, back))).toMatchObject({ a: 'ana', e: null });
  });
  it('takes a swap back', () => {
    const plan = planned('ana', 'd');
    const back = reverseOf(plan);
    expect(back && occupants(carryOut(carryOut(makeBoard(), plan), back))).toMatchObject({ a: 'ana', d: 'ben' });
  });
  it('does not exist for a guest who came from the waiting list', () =>
    expect(reverseOf(planned('wes', 'b'))).toBeNull());
  it('is closed once the old bed is taken', () => {
    const plan = planned('ana', 'e');
    const later = carryOut(carryOut(makeBoard(), plan), planned('ben', 'a', carryOut(makeBoard(), plan)));
    const back = reverseOf(plan);
    expect(back && deviationOf(later, back)).toBe('bed-changed');
  });
});

describe('assignmentOf', () => {
  const to = { bedId: 'e', bedName: 'Bed e', houseName: 'House 2' };
  it('starts from where the guest now is', () =>
    expect(assignmentOf(makeBoard(), guestShort('ana', { version: 0 }), to)).toMatchObject({
      guest: { version: 1 },
      from: { bedId: 'a' },
    }));
  it('starts from nowhere for a guest the board does not know', () =>
    expect(assignmentOf(makeBoard(), guestShort('new'), to)).toMatchObject({ guest: { id: 'new' }, from: null }));
});

describe('nextFreePlace', () => {
  it('is the place of the closest vacant bed', () => {
    expect(nextFreePlace(makeBoard(), 'a')).toEqual({ bedId: 'b', bedName: 'Bed b', houseName: 'House 1' });
    expect(nextFreePlace(makeBoard(), 'd')?.bedId).toBe('e');
  });
  it('passes the bed that is left out', () => expect(nextFreePlace(makeBoard(), 'a', 'b')?.bedId).toBe('e'));
  it('is null when nothing is free', () =>
    expect(nextFreePlace({ houses: [room('1', [bed('c', { disabled: true })])], waiting: [] }, 'c')).toBeNull());
});

describe('firstStop', () => {
  it("is the guest's own bed", () => expect(firstStop(makeBoard(), 'ben')).toBe('d'));
  it('is the first vacant bed for a guest without one', () => expect(firstStop(makeBoard(), 'wes')).toBe('b'));
  it('is the first enabled bed when none is vacant', () =>
    expect(
      firstStop(
        { houses: [room('1', [bed('x', { disabled: true }), bed('y', { guest: ana })])], waiting: [wes] },
        'wes',
      ),
    ).toBe('y'));
  it('is null when all are disabled', () =>
    expect(firstStop({ houses: [room('1', [bed('x', { disabled: true })])], waiting: [wes] }, 'wes')).toBeNull());
});

describe('the houses that are drawn first', () => {
  const house = (id: string, beds: number) =>
    room(
      id,
      Array.from({ length: beds }, (_, at) => bed(`${id}-${at}`)),
    );
  const names = (...sizes: number[]) =>
    firstHouses({ houses: sizes.map((beds, at) => house(String(at + 1), beds)), waiting: [] }).map(({ id }) => id);

  it('are all of a usual site', () => {
    expect(names(20, 6, 12)).toEqual(['1', '2', '3']);
    expect(names()).toEqual([]);
  });

  it('fill the window of a large one, and are whole', () => {
    expect(names(20, 30, 20, 40, 6)).toEqual(['1', '2', '3']);
    expect(names(400, 5)).toEqual(['1']);
  });
});
