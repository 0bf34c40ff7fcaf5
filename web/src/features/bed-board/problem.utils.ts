import { ApiError, ConflictError, PendingChangeError } from '@/api/errors';
import { isAgainstRules } from '@/features/guests/api/placement-reasons';
import { isVacant } from '@/features/houses/ui/beds.utils';
import { bedOfGuest, type Deviation, findBed, findGuest, nextFreePlace, placeOf } from './board.utils';
import type { Bed, Board, Guest, GuestShort, Misplaced, Place, Plan } from './types';

/** The names a sentence may hold. */
export interface NoticeValues {
  readonly guest: string;
  readonly bed: string;
  readonly house: string;
  readonly other: string;
  readonly otherBed: string;
  readonly otherHouse: string;
}

/** A sentence to be translated: `board:notice.{key}` with its values. */
export interface Notice {
  readonly key:
    | 'how'
    | 'no-beds'
    | 'moved'
    | 'swapped'
    | 'cancelled'
    | 'failed'
    | 'refused'
    | 'unsent'
    | 'unknown'
    | 'own'
    | 'nowhere'
    | 'offered'
    | 'now-in'
    | 'now-waiting'
    | 'now-gone'
    | 'now-discharged'
    | 'now-rejected'
    | 'now-expired'
    | 'bed-gone'
    | 'bed-disabled'
    | 'bed-taken'
    | 'bed-free';
  readonly values: Partial<NoticeValues>;
}

/** Why something did not work: in the server's words, in ours, or both. */
export interface Reason {
  readonly text?: string;
  readonly now?: Notice;
  /** The refusal, which may name who was faster. */
  readonly error?: ConflictError;
  /** Guests for whom the beds are not, and whom this user may not place there. */
  readonly misplaced?: readonly Misplaced[];
  /** Another change of the guest has no outcome yet. */
  readonly isPending?: boolean;
}

/** What went wrong on the board; stays visible until the next action. `refused`: by the placement rules, which is no error. */
export interface Problem {
  readonly key: 'own' | 'nowhere' | 'offered' | 'failed' | 'refused';
  readonly guest: GuestShort;
  /** Where the guest was to go, for what is told late. */
  readonly to?: Place;
  readonly reason: Reason | null;
  /** Another bed for the same guest, one press away. */
  readonly offer: Place | null;
}

/** Where a guest now is, after someone else changed it. */
export function noticeOfHome(guest: GuestShort, home: Bed | undefined, isKnown: boolean): Notice {
  const values = { guest: guest.displayName };
  if (home) return { key: 'now-in', values: { ...values, bed: home.name, house: home.room.name } };
  return { key: isKnown ? 'now-waiting' : 'now-gone', values };
}

/** The state of a guest as a 409 reports it, in words. */
export function noticeOfGuest(guest: Guest): Notice {
  const values = { guest: guest.displayName };
  switch (guest.status) {
    case 'discharged':
      return { key: 'now-discharged', values };
    case 'rejected':
      return { key: 'now-rejected', values };
    case 'expired':
      return { key: 'now-expired', values };
    case 'pending':
      return { key: 'now-waiting', values };
    case 'accepted':
    case 'reassigned':
      return guest.bed && guest.room
        ? { key: 'now-in', values: { ...values, bed: guest.bed.name, house: guest.room.name } }
        : { key: 'now-waiting', values };
  }
}

function canStillMove(guest: Guest): boolean {
  return guest.status === 'pending' || guest.status === 'accepted' || guest.status === 'reassigned';
}

/** What a refused move means for the people at the board. */
export function problemOfError(error: unknown, plan: Plan, board: Board): Problem {
  const failed = { key: 'failed', guest: plan.guest, to: plan.to } as const;
  if (error instanceof PendingChangeError) return { ...failed, reason: { isPending: true }, offer: null };
  if (!(error instanceof ApiError)) return { ...failed, reason: null, offer: null };
  const text = error.problem.message;
  if (isAgainstRules(error)) return { key: 'refused', guest: plan.guest, reason: { text }, offer: null };
  const fresh = error.problem.guest;
  if (!(error instanceof ConflictError)) return { ...failed, reason: { text }, offer: null };
  if (!fresh)
    return { ...failed, reason: { text, error }, offer: nextFreePlace(board, plan.to.bedId, plan.from?.bedId) };
  // Nobody is left to swap with: the bed itself is to be had.
  if (error.code === 'bed-vacant') return { ...failed, reason: { text, error }, offer: plan.to };
  const isElsewhere = (fresh.assignedBedId ?? null) !== (plan.from?.bedId ?? null) || !canStillMove(fresh);
  return {
    ...failed,
    reason: isElsewhere ? { text, now: noticeOfGuest(fresh), error } : { text, error },
    offer: canStillMove(fresh) ? (error.problem.nextFreeBed ? offerOf(error.problem.nextFreeBed) : null) : null,
  };
}

/** Why a guest is not moved whose last move has no answer yet. */
export function problemOfFlight(guest: GuestShort): Problem {
  return { key: 'refused', guest, reason: { isPending: true }, offer: null };
}

/** Why a move is not even asked for: it would bring guests into beds that are not for them. */
export function problemOfRules({ guest }: Plan, misplaced: readonly Misplaced[]): Problem {
  return { key: 'refused', guest, reason: { misplaced }, offer: null };
}

function offerOf(bed: { bedId: string; bedName: string; roomName: string }): Place {
  return { bedId: bed.bedId, bedName: bed.bedName, houseName: bed.roomName };
}

/** What a change made elsewhere, between the question and the yes, means for the plan. */
export function problemOfDeviation(deviation: Deviation, plan: Plan, board: Board): Problem {
  const guest = findGuest(board, plan.guest.id);
  const home = bedOfGuest(board, plan.guest.id);
  const failed = { key: 'failed', guest: guest ?? plan.guest } as const;
  if (deviation === 'guest-gone' || deviation === 'guest-moved') {
    return { ...failed, reason: { now: noticeOfHome(plan.guest, home, guest !== undefined) }, offer: null };
  }
  const wanted = findBed(board, plan.to.bedId);
  // The guest whose bed it was may have left it.
  const offer = wanted && isVacant(wanted) ? placeOf(wanted) : nextFreePlace(board, plan.to.bedId, home?.id);
  return { ...failed, reason: { now: noticeOfBed(deviation, plan.to, wanted) }, offer };
}

function noticeOfBed(deviation: 'bed-gone' | 'bed-disabled' | 'bed-changed', to: Place, bed: Bed | undefined): Notice {
  const values = { bed: to.bedName, house: to.houseName };
  if (deviation !== 'bed-changed' || !bed)
    return { key: deviation === 'bed-disabled' ? deviation : 'bed-gone', values };
  if (!bed.guest) return { key: 'bed-free', values };
  const place = placeOf(bed);
  return { key: 'bed-taken', values: { guest: bed.guest.displayName, bed: place.bedName, house: place.houseName } };
}
