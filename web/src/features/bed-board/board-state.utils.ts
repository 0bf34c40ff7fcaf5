import type { BedWaiting } from '@/features/houses/ui/bed-tile.utils';
import { bedOfGuest, deviationOf, findBed, findGuest, firstStop, judge, planOf } from './board.utils';
import type { Point } from './place-at';
import { type Notice, noticeOfHome, type Problem, problemOfDeviation, problemOfFlight } from './problem.utils';
import { step, type StepKey } from './steps.utils';
import type { Board, GuestShort, Plan } from './types';

/** Move mode: one guest is being moved, the beds answer to keys and clicks (guide web, section 11). */
export interface Mode {
  readonly guest: GuestShort;
  /** The guest's bed when the mode began; null for a guest who waits. */
  readonly homeBedId: string | null;
  /** The one bed in the tab order; null when no bed is enabled. */
  readonly stopBedId: string | null;
}

/** Where the keyboard focus goes after the next drawing. */
export type FocusRequest =
  | { readonly on: 'bed'; readonly bedId: string }
  | { readonly on: 'handle'; readonly guestId: string; readonly keepsScroll?: boolean }
  | { readonly on: 'cancel' };

/** A move on its way to the server, or back from it; the board shows it as done already. */
export interface Flight {
  readonly id: number;
  readonly plan: Plan;
  /** The server has said yes; the flight ends when what is loaded shows it, too. */
  readonly hasLanded?: boolean;
}

/** The move that waits for a yes or no, how it was asked for, and where, if by a finger. */
interface Question {
  readonly plan: Plan;
  readonly by: 'drag' | 'mode';
  readonly at: Point | null;
}

export interface BoardState {
  readonly mode: Mode | null;
  readonly draggedGuestId: string | null;
  readonly question: Question | null;
  readonly flights: readonly Flight[];
  readonly problem: Problem | null;
  /** The last move that the server has carried out. */
  readonly done: Plan | null;
  /** What the live region says; `turn` counts up so that an equal text is said again. */
  readonly said: { readonly notice: Notice; readonly turn: number } | null;
  readonly focus: FocusRequest | null;
}

export const INITIAL_STATE: BoardState = {
  mode: null,
  draggedGuestId: null,
  question: null,
  flights: [],
  problem: null,
  done: null,
  said: null,
  focus: null,
};

export type BoardAction =
  | {
      readonly type: 'toggle-mode';
      readonly board: Board;
      readonly guestId: string;
      /** The beds that the placement rules bar, by id. */
      readonly barred?: ReadonlyMap<string, unknown>;
    }
  | { readonly type: 'leave-mode' }
  | { readonly type: 'step'; readonly board: Board; readonly key: StepKey; readonly columns: number }
  | { readonly type: 'choose'; readonly board: Board; readonly bedId: string }
  | { readonly type: 'drag'; readonly guestId: string }
  | {
      readonly type: 'drop';
      readonly guestId: string;
      readonly bedId: string | null;
      /** Where a finger let the guest go. */
      readonly at?: Point | null;
      /** The board as it stood still during the drag. */
      readonly seen: Board;
      /** The board as it is now. */
      readonly board: Board;
    }
  | { readonly type: 'cancel-drag' }
  | { readonly type: 'cancel-question' }
  | { readonly type: 'take-off'; readonly flight: Flight }
  | { readonly type: 'resume'; readonly flight: Flight }
  | { readonly type: 'wait'; readonly flight: Flight; readonly waiting: BedWaiting }
  | { readonly type: 'land'; readonly flight: Flight }
  | { readonly type: 'end-flights'; readonly ids: readonly number[] }
  /** The placement rules bar a move that was asked for. */
  | {
      readonly type: 'bar';
      readonly problem: Problem;
      /** In Move mode; null after a drop. */ readonly bedId: string | null;
    }
  | { readonly type: 'fail'; readonly flightId: number | null; readonly problem: Problem }
  | { readonly type: 'board-changed'; readonly board: Board }
  | { readonly type: 'dismiss-problem' };

/** What is said when somebody else's change ends Move mode. */
const MODE_ENDED: ReadonlySet<string> = new Set<Notice['key']>(['now-in', 'now-waiting', 'now-gone']);

/** Returns the turn in which it was said that somebody else ended Move mode; null if something else was said last. */
export function endOfMode({ said }: Pick<BoardState, 'said'>): number | null {
  return said && MODE_ENDED.has(said.notice.key) ? said.turn : null;
}

function say(state: BoardState, notice: Notice): BoardState['said'] {
  return { notice, turn: (state.said?.turn ?? 0) + 1 };
}

/** Where a move has brought its guests. */
export function noticeOfMove(plan: Plan): Notice {
  const { guest, to, from, other } = plan;
  const moved = { guest: guest.displayName, bed: to.bedName, house: to.houseName };
  if (!other || !from) return { key: 'moved', values: moved };
  return {
    key: 'swapped',
    values: { ...moved, other: other.displayName, otherBed: from.bedName, otherHouse: from.houseName },
  };
}

/** That it is not certain where a guest is. */
export function noticeOfWait({ guest, to }: Plan, waiting: BedWaiting): Notice {
  return { key: waiting, values: { guest: guest.displayName, bed: to.bedName, house: to.houseName } };
}

function isInFlight(state: BoardState, guestId: string): boolean {
  return state.flights.some(({ plan, hasLanded }) => plan.guest.id === guestId && !hasLanded);
}

function toggleMode(
  state: BoardState,
  { board, guestId, barred }: Extract<BoardAction, { type: 'toggle-mode' }>,
): BoardState {
  if (state.mode?.guest.id === guestId) return leaveMode(state);
  const guest = findGuest(board, guestId);
  if (!guest) return state;
  if (isInFlight(state, guestId)) return refuse(state, problemOfFlight(guest));
  const stopBedId = firstStop(board, guestId, barred);
  return {
    ...state,
    mode: { guest, homeBedId: bedOfGuest(board, guestId)?.id ?? null, stopBedId },
    problem: null,
    said: say(state, { key: stopBedId ? 'how' : 'no-beds', values: { guest: guest.displayName } }),
    focus: stopBedId ? { on: 'bed', bedId: stopBedId } : { on: 'cancel' },
  };
}

function leaveMode(state: BoardState): BoardState {
  if (!state.mode) return state;
  const { guest } = state.mode;
  return {
    ...state,
    mode: null,
    problem: null,
    said: say(state, { key: 'cancelled', values: { guest: guest.displayName } }),
    focus: { on: 'handle', guestId: guest.id },
  };
}

/** What choosing a bed leads to, by a drop or in Move mode: a question, or an error that stays on the board. */
function ask(
  state: BoardState,
  board: Board,
  { guestId, bedId, by, at = null }: { guestId: string; bedId: string | null; by: 'drag' | 'mode'; at?: Point | null },
): BoardState {
  const guest = findGuest(board, guestId);
  if (!guest) return state;
  if (isInFlight(state, guestId)) return refuse(state, problemOfFlight(guest));
  const plan = bedId ? planOf(board, guestId, bedId) : null;
  if (plan) return { ...state, question: { plan, by, at }, problem: null };
  const bed = bedId ? findBed(board, bedId) : undefined;
  const isOwn = bed && judge(bed, guestId, true) === 'own';
  const isOffered = bed && !bed.disabled && bed.offeredUntil !== null;
  return refuse(state, { key: isOwn ? 'own' : isOffered ? 'offered' : 'nowhere', guest, reason: null, offer: null });
}

function refuse(state: BoardState, problem: Problem): BoardState {
  return { ...state, problem, said: say(state, { key: problem.key, values: { guest: problem.guest.displayName } }) };
}

/** The drop is judged by what was seen; when that no longer holds, the reason is told instead of a question. */
function drop(
  state: BoardState,
  { guestId, bedId, at, seen, board }: Extract<BoardAction, { type: 'drop' }>,
): BoardState {
  const plan = bedId ? planOf(seen, guestId, bedId) : null;
  const deviation = plan ? deviationOf(board, plan) : null;
  if (plan && deviation) return fail(state, null, problemOfDeviation(deviation, plan, board));
  // From here the dialog takes the focus, and gives it back; the window stays where the drop was.
  const focus: FocusRequest = { on: 'handle', guestId, keepsScroll: true };
  return { ...ask(state, plan ? board : seen, { guestId, bedId, by: 'drag', at }), focus };
}

/** In Move mode a change made elsewhere applies at once; the mode ends when it concerns the guest being moved. */
function followBoard(state: BoardState, board: Board): BoardState {
  const { mode } = state;
  if (!mode) return state;
  const guest = findGuest(board, mode.guest.id);
  const home = bedOfGuest(board, mode.guest.id);
  if (!guest || (home?.id ?? null) !== mode.homeBedId) {
    return {
      ...state,
      mode: null,
      question: null,
      problem: null,
      said: say(state, noticeOfHome(mode.guest, home, guest !== undefined)),
      focus: guest ? { on: 'handle', guestId: guest.id } : null,
    };
  }
  const stop = mode.stopBedId ? findBed(board, mode.stopBedId) : undefined;
  if (stop && !stop.disabled) return guest === mode.guest ? state : { ...state, mode: { ...mode, guest } };
  const stopBedId = firstStop(board, guest.id);
  if (stopBedId === mode.stopBedId) return state;
  return {
    ...state,
    mode: { ...mode, guest, stopBedId },
    focus: stopBedId ? { on: 'bed', bedId: stopBedId } : { on: 'cancel' },
  };
}

function fail(state: BoardState, flightId: number | null, problem: Problem): BoardState {
  const isBusyElsewhere = flightId !== null && (state.mode !== null || state.question !== null);
  return {
    ...state,
    ...(isBusyElsewhere ? {} : { mode: null, question: null, focus: { on: 'handle', guestId: problem.guest.id } }),
    flights: state.flights.filter((flight) => flight.id !== flightId),
    problem,
    said: say(state, noticeOfFailure(problem)),
  };
}

/** That a guest was not moved. */
function noticeOfFailure({ key, guest }: Problem): Notice {
  return { key: key === 'refused' ? 'refused' : 'failed', values: { guest: guest.displayName } };
}

/** No question is asked, and the mode goes on. */
function bar(state: BoardState, { bedId, problem }: Extract<BoardAction, { type: 'bar' }>): BoardState {
  const said = say(state, noticeOfFailure(problem));
  if (bedId === null) {
    const focus: FocusRequest = { on: 'handle', guestId: problem.guest.id, keepsScroll: true };
    return { ...state, draggedGuestId: null, problem, said, focus };
  }
  return { ...state, mode: state.mode && { ...state.mode, stopBedId: bedId }, problem, said };
}

/** Everything the board does besides talking to the server, as one pure function. */
export function boardReducer(state: BoardState, action: BoardAction): BoardState {
  switch (action.type) {
    case 'toggle-mode':
      return toggleMode(state, action);
    case 'leave-mode':
      return leaveMode(state);
    case 'step': {
      if (!state.mode?.stopBedId) return state;
      const bedId = step(action.board, state.mode.stopBedId, action.key, action.columns);
      return { ...state, mode: { ...state.mode, stopBedId: bedId }, focus: { on: 'bed', bedId } };
    }
    case 'choose': {
      if (!state.mode) return state;
      const mode = { ...state.mode, stopBedId: action.bedId };
      return ask({ ...state, mode }, action.board, { guestId: mode.guest.id, bedId: action.bedId, by: 'mode' });
    }
    case 'drag':
      return { ...state, draggedGuestId: action.guestId, mode: null, problem: null };
    case 'drop':
      return drop({ ...state, draggedGuestId: null }, action);
    case 'cancel-drag':
      return { ...state, draggedGuestId: null };
    case 'cancel-question': {
      if (!state.question) return state;
      const { plan, by } = state.question;
      const focus: FocusRequest =
        by === 'mode' ? { on: 'bed', bedId: plan.to.bedId } : { on: 'handle', guestId: plan.guest.id };
      return { ...state, question: null, focus };
    }
    case 'take-off':
      return {
        ...state,
        mode: null,
        question: null,
        problem: null,
        flights: [...state.flights, action.flight],
        focus: { on: 'handle', guestId: action.flight.plan.guest.id },
      };
    // A move that was begun before the board was opened: nobody's focus is moved for it.
    case 'resume':
      return { ...state, flights: [...state.flights, action.flight] };
    case 'wait':
      return { ...state, said: say(state, noticeOfWait(action.flight.plan, action.waiting)) };
    case 'land':
      return {
        ...state,
        flights: state.flights.map((flight) =>
          flight.id === action.flight.id ? { ...flight, hasLanded: true } : flight,
        ),
        done: action.flight.plan,
        said: say(state, noticeOfMove(action.flight.plan)),
      };
    case 'end-flights':
      return { ...state, flights: state.flights.filter((flight) => !action.ids.includes(flight.id)) };
    case 'bar':
      return bar(state, action);
    case 'fail':
      return fail(state, action.flightId, action.problem);
    case 'board-changed':
      return followBoard(state, action.board);
    case 'dismiss-problem':
      return { ...state, problem: null };
  }
}
