import { byUrgency } from '@/features/guests/ui/hold.utils';
import { findBed as findPlacedBed, isVacant, nextFreeBed } from '@/features/houses/ui/beds.utils';
import { misfitsOf } from '@/features/houses/ui/meant-for.utils';
import type { Bed, Board, BoardRules, GuestShort, Guest, Misplaced, Place, Plan, SiteDetails, Verdict } from './types';

/** The board of a site. `guests` are the site's pending and assigned guests (GET /api/Guests without a status). */
export function toBoard(site: Pick<SiteDetails, 'rooms'>, guests: readonly Guest[]): Board {
  // Beds and guests are loaded separately, so that a guest just accepted may still be among the pending ones.
  const inBeds = new Set(site.rooms.flatMap((house) => house.beds.map((bed) => bed.guest?.id)));
  const waiting = guests.filter((guest) => guest.status === 'pending' && !inBeds.has(guest.id));
  return { houses: site.rooms, waiting: waiting.toSorted(byUrgency) };
}

/** All beds in reading order: house after house, bed after bed. */
export function bedsOf(board: Board): Bed[] {
  return board.houses.flatMap((house) => house.beds);
}

export function findBed(board: Board, bedId: string): Bed | undefined {
  return findPlacedBed(board.houses, bedId)?.bed;
}

export function bedOfGuest(board: Board, guestId: string): Bed | undefined {
  for (const house of board.houses) {
    const bed = house.beds.find((candidate) => candidate.guest?.id === guestId);
    if (bed) return bed;
  }
  return undefined;
}

/** The guest as the board now knows it, in a bed or waiting. */
export function findGuest(board: Board, guestId: string): GuestShort | undefined {
  return bedOfGuest(board, guestId)?.guest ?? board.waiting.find((guest) => guest.id === guestId);
}

export function placeOf(bed: Bed): Place {
  return { bedId: bed.id, bedName: bed.name, houseName: bed.room.name };
}

/** A waiting guest cannot be exchanged: there would be no bed for the other one (spec B, section 4). */
export function judge(bed: Bed, guestId: string, guestHasBed: boolean): Verdict {
  if (bed.guest?.id === guestId) return 'own';
  if (bed.disabled || bed.offeredUntil !== null) return 'disabled';
  if (bed.guest === null) return 'assign';
  return guestHasBed ? 'swap' : 'occupied';
}

/** The move of a guest to a bed, or null where the bed cannot take the guest. */
export function planOf(board: Board, guestId: string, bedId: string): Plan | null {
  const guest = findGuest(board, guestId);
  const bed = findBed(board, bedId);
  if (!guest || !bed) return null;
  const home = bedOfGuest(board, guestId);
  const verdict = judge(bed, guestId, home !== undefined);
  if (verdict !== 'assign' && verdict !== 'swap') return null;
  return { kind: verdict, guest, from: home ? placeOf(home) : null, to: placeOf(bed), other: bed.guest };
}

/** The guests of a plan who would get a bed that is not for them. */
export function misplacedBy(board: Board, { guest, from, to, other }: Plan, rules: BoardRules): readonly Misplaced[] {
  const judged = ({ id: guestId, displayName, gender }: GuestShort, place: Place): Misplaced => {
    const house = board.houses.find(({ beds }) => beds.some(({ id }) => id === place.bedId));
    const person = { ...rules.people.get(guestId), gender };
    return { guest: displayName, misfits: house ? misfitsOf(house, person, rules) : [] };
  };
  const all = [judged(guest, to), ...(other && from ? [judged(other, from)] : [])];
  return all.filter(({ misfits }) => misfits.length > 0);
}

/** The guests of a plan whom the user may not place so; none if the plan may be asked for. */
export function barredBy(board: Board, plan: Plan, rules: BoardRules): readonly Misplaced[] {
  return rules.breach === 'refused' ? misplacedBy(board, plan, rules) : [];
}

/** The beds that the user may not give to a guest, each with those who would be in a wrong bed. */
export function barredBeds(
  board: Board,
  guestId: string,
  rules: BoardRules,
): ReadonlyMap<string, readonly Misplaced[]> {
  if (rules.breach !== 'refused') return new Map();
  const all = bedsOf(board).map(({ id }) => {
    const plan = planOf(board, guestId, id);
    return [id, plan ? barredBy(board, plan, rules) : []] as const;
  });
  return new Map(all.filter(([, misplaced]) => misplaced.length > 0));
}

/** Why a plan made a moment ago no longer holds, or null while it does. */
export type Deviation = 'guest-gone' | 'guest-moved' | 'bed-gone' | 'bed-disabled' | 'bed-changed';

export function deviationOf(board: Board, plan: Plan): Deviation | null {
  return findGuest(board, plan.guest.id) ? misfitOf(board, plan) : 'guest-gone';
}

function misfitOf(board: Board, plan: Plan): Exclude<Deviation, 'guest-gone'> | null {
  if ((bedOfGuest(board, plan.guest.id)?.id ?? null) !== (plan.from?.bedId ?? null)) return 'guest-moved';
  const bed = findBed(board, plan.to.bedId);
  if (!bed) return 'bed-gone';
  if (bed.disabled) return 'bed-disabled';
  if ((bed.guest?.id ?? null) !== (plan.other?.id ?? null)) return 'bed-changed';
  return null;
}

/** The status word of PATCH /api/Guests/{id} (spec B, section 4). */
export function statusOf(plan: Plan): 'ACCEPTED' | 'REASSIGNED' | 'SWAP' {
  if (plan.kind === 'swap') return 'SWAP';
  return plan.from ? 'REASSIGNED' : 'ACCEPTED';
}

/**
 * The board with the plan carried out. Beds the plan does not touch keep their identity, so that their tiles are not
 * drawn again. Where the board no longer fits the plan it is returned as it is: the server decides.
 */
export function carryOut(board: Board, plan: Plan, fresh: Partial<GuestShort> = {}): Board {
  // A guest who waited may have left the list already while the houses are still the old ones.
  if (misfitOf(board, plan) !== null) return board;
  const guest: GuestShort = { ...plan.guest, ...fresh };
  const occupants = new Map<string, GuestShort | null>([[plan.to.bedId, guest]]);
  if (plan.from) occupants.set(plan.from.bedId, plan.other);
  return {
    houses: board.houses.map((house) => {
      if (!house.beds.some((bed) => occupants.has(bed.id))) return house;
      const beds = house.beds.map((bed) => {
        const occupant = occupants.get(bed.id);
        return occupant === undefined ? bed : { ...bed, guest: occupant, isOccupied: occupant !== null };
      });
      const occupied = beds.filter((bed) => bed.guest !== null).length;
      return {
        ...house,
        beds,
        hasAnyGuests: occupied > 0,
        occupiedBedsCount: occupied,
        vacantBedsCount: beds.filter(isVacant).length,
      };
    }),
    waiting: board.waiting.some((candidate) => candidate.id === guest.id)
      ? board.waiting.filter((candidate) => candidate.id !== guest.id)
      : board.waiting,
  };
}

/** The move that takes another one back; null for a guest who had no bed before. `deviationOf` tells whether it is open. */
export function reverseOf(done: Plan): Plan | null {
  return done.from ? { ...done, from: done.to, to: done.from } : null;
}

/** The move to a vacant bed, made of what the board knows of the guest now. */
export function assignmentOf(board: Board, guest: GuestShort, to: Place): Plan {
  const home = bedOfGuest(board, guest.id);
  return {
    kind: 'assign',
    guest: findGuest(board, guest.id) ?? guest,
    from: home ? placeOf(home) : null,
    to,
    other: null,
  };
}

/** The free bed to offer when `nearBedId` is not to be had. */
export function nextFreePlace(board: Board, nearBedId: string, exceptBedId?: string): Place | null {
  const free = nextFreeBed(board.houses, nearBedId, ({ bed }) => bed.id !== exceptBedId);
  return free ? placeOf(free.bed) : null;
}

/**
 * The bed that takes the focus when Move mode starts: the guest's own, else the first vacant one that is not `barred`, else
 * the first enabled.
 */
export function firstStop(board: Board, guestId: string, barred?: ReadonlyMap<string, unknown>): string | null {
  const beds = bedsOf(board);
  const stop =
    bedOfGuest(board, guestId) ??
    beds.find((bed) => isVacant(bed) && !barred?.has(bed.id)) ??
    beds.find((bed) => !bed.disabled);
  return stop?.id ?? null;
}

export interface Totals {
  readonly vacant: number;
  /** Of the vacant beds, those on offer to somebody on the waitlist. */
  readonly offered: number;
  readonly occupied: number;
  readonly disabled: number;
}

export function totalsOf(board: Board): Totals {
  const totals = { vacant: 0, offered: 0, occupied: 0, disabled: 0 };
  for (const bed of bedsOf(board)) {
    if (bed.guest) totals.occupied += 1;
    else if (bed.disabled) totals.disabled += 1;
    else {
      totals.vacant += 1;
      if (bed.offeredUntil !== null) totals.offered += 1;
    }
  }
  return totals;
}

/** So many beds fill a large window. */
const FIRST_BEDS = 60;

/** The houses that are drawn first: whole houses until a window is full. */
export function firstHouses({ houses }: Board): Board['houses'] {
  let beds = 0;
  const end = houses.findIndex((house) => {
    beds += house.beds.length;
    return beds >= FIRST_BEDS;
  });
  return end === -1 ? houses : houses.slice(0, end + 1);
}

/** Vacant beds that neither an offer nor a reservation holds: the rule of the server, for a board that shows changes before it has answered. */
export function availableBeds({ vacant, offered }: Pick<Totals, 'vacant' | 'offered'>, pending: number): number {
  return Math.max(0, vacant - offered - pending);
}
