import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { BedWaiting } from '@/features/houses/ui/bed-tile.utils';
import type { Point } from './place-at';
import { isSettingOn } from '@/access/settings';
import { useUser } from '@/access/use-user';
import { toast } from '@/components/toast';
import { guestCommands, type GuestUpdate, type OpenCommand } from '@/features/guests/api/guest-commands';
import { useOpenCommands } from '@/features/guests/api/open-commands';
import { useUpdateGuest } from '@/features/guests/api/update-guest';
import { useUndoDecision } from '@/features/guests/api/use-undo-decision';
import { usePlacementRules } from '@/features/houses/ui/use-placement-rules';
import { siteQuery } from '@/features/sites/api/site-query';
import { keepSecondPress } from '@/lib/steady-press';
import {
  assignmentOf,
  barredBeds,
  barredBy,
  carryOut,
  deviationOf,
  findBed,
  findGuest,
  misplacedBy,
  planOf,
  reverseOf,
  statusOf,
  toBoard,
} from './board.utils';
import { boardReducer, endOfMode, type Flight, INITIAL_STATE, noticeOfMove } from './board-state.utils';
import { type Problem, problemOfDeviation, problemOfError, problemOfRules } from './problem.utils';
import type { StepKey } from './steps.utils';
import type { Board, BoardRules, Guest, GuestShort, Place, Plan, SiteDetails, Waits } from './types';
import type { BoardTexts } from './use-board-texts';

/** A board that stands still while `isHeld`, and catches up afterwards. */
function useHeld(board: Board, isHeld: boolean): Board {
  const [seen, setSeen] = useState(board);
  if (!isHeld && seen !== board) {
    setSeen(board);
    return board;
  }
  return seen;
}

function withFlights(board: Board, flights: readonly Flight[]): Board {
  return flights.reduce((before, flight) => carryOut(before, flight.plan), board);
}

/** A move that is drawn as done though it was not sent, or is not confirmed by the server. */
export interface WaitingMove {
  readonly flight: Flight;
  readonly waiting: BedWaiting;
}

const NO_WAITS: Waits = new Map();

/** Which of the flights wait, and for what. */
function waitingMoves(flights: readonly Flight[], open: readonly OpenCommand[]): readonly WaitingMove[] {
  return flights.flatMap((flight) => {
    const state = open.find(({ update }) => update?.guestId === flight.plan.guest.id)?.state;
    return state === undefined || state === 'sending' || flight.hasLanded ? [] : [{ flight, waiting: state }];
  });
}

/** The move that may be made without a question: to a vacant bed. A swap always asks, and a bed that is not for the guest. */
function unaskedPlan(board: Board, guestId: string, bedId: string | null, rules: BoardRules): Plan | null {
  const plan = bedId === null ? null : planOf(board, guestId, bedId);
  return plan?.kind === 'assign' && misplacedBy(board, plan, rules).length === 0 ? plan : null;
}

/** Why the placement rules bar a move; null if it may be asked for. */
function barOf(board: Board, guestId: string, bedId: string | null, rules: BoardRules): Problem | null {
  const plan = bedId === null ? null : planOf(board, guestId, bedId);
  const misplaced = plan ? barredBy(board, plan, rules) : [];
  return plan && misplaced.length > 0 ? problemOfRules(plan, misplaced) : null;
}

/** Returns true if a move can be taken back as things stand. */
function mayUndo(board: Board, way: Plan, rules: BoardRules): boolean {
  return deviationOf(board, way) === null && barredBy(board, way, rules).length === 0;
}

/** The problem without an offer of a bed that is not for the guest: taking an offer asks nothing. */
function withFittingOffer(problem: Problem | null, board: Board, rules: BoardRules): Problem | null {
  if (!problem?.offer) return problem;
  const isMisfit = misplacedBy(board, assignmentOf(board, problem.guest, problem.offer), rules).length > 0;
  return isMisfit ? { ...problem, offer: null } : problem;
}

/** The behaviour of the bed board: what is seen, what may be done, and the talk with the server. */
export function useBedBoard(site: SiteDetails, guests: readonly Guest[], texts: BoardTexts) {
  const queryClient = useQueryClient();
  const { mutateAsync } = useUpdateGuest();
  const { undo: undoAccept } = useUndoDecision();
  const open = useOpenCommands();
  const isUnasked = isSettingOn(useUser(), 'setting.moves-unasked');
  const [state, dispatch] = useReducer(boardReducer, INITIAL_STATE);
  const flightCount = useRef(0);
  const siteId = site.id;
  const placement = usePlacementRules(site);
  const rules = useMemo<BoardRules>(
    () => ({ ...placement, people: new Map(guests.map((guest) => [guest.id, guest])) }),
    [placement, guests],
  );

  const loaded = useMemo(() => toBoard(site, guests), [site, guests]);
  const held = useHeld(loaded, state.draggedGuestId !== null);
  const board = useMemo(() => withFlights(held, state.flights), [held, state.flights]);
  const now = useMemo(() => withFlights(loaded, state.flights), [loaded, state.flights]);

  // Handlers keep their identity, so that 500 tiles are not drawn again; what they read is looked up here.
  const latest = useRef({ board, now, state, texts, rules, undoAccept, isUnasked });
  useEffect(() => {
    latest.current = { board, now, state, texts, rules, undoAccept, isUnasked };
  });
  useEffect(() => dispatch({ type: 'board-changed', board }), [board]);
  // A move ends when the board beneath shows it, not before: else its guest would jump back for a moment.
  useEffect(() => {
    const ids = state.flights.filter((one) => one.hasLanded && carryOut(held, one.plan) === held).map((one) => one.id);
    if (ids.length > 0) dispatch({ type: 'end-flights', ids });
  }, [held, state.flights]);

  const waiting = useMemo(() => waitingMoves(state.flights, open), [state.flights, open]);
  const waits = useMemo<Waits>(() => {
    if (waiting.length === 0) return NO_WAITS;
    const both = waiting.map(({ flight: { plan }, waiting: reason }) =>
      [plan.guest.id, plan.other?.id].flatMap((id): [string, BedWaiting][] => (id ? [[id, reason]] : [])),
    );
    return new Map(both.flat());
  }, [waiting]);
  const told = useRef(new Map<number, BedWaiting>());
  useEffect(() => {
    for (const { flight, waiting: reason } of waiting) {
      if (told.current.get(flight.id) === reason) continue;
      told.current.set(flight.id, reason);
      dispatch({ type: 'wait', flight, waiting: reason });
    }
  }, [waiting]);

  /** Writes the answer into what is loaded, so that the tile does not jump back until the next loading. */
  const keep = useCallback(
    (plan: Plan, fresh: Guest) => {
      const { queryKey } = siteQuery(siteId);
      queryClient.setQueryData(queryKey, (loadedSite) => {
        if (!loadedSite) return loadedSite;
        const { daysStayed, version, acceptedAt, reassignedAt, isArriving, expectedDeparture } = fresh;
        const stamps = { daysStayed, version, acceptedAt, reassignedAt, isArriving, expectedDeparture };
        return { ...loadedSite, rooms: [...carryOut(toBoard(loadedSite, []), plan, stamps).houses] };
      });
    },
    [queryClient, siteId],
  );

  /** Sends a move, or waits for one that was sent before the board was opened, until its outcome is known. */
  const follow = useCallback(
    async (flight: Flight, update: GuestUpdate) => {
      try {
        keep(flight.plan, await mutateAsync(update));
        dispatch({ type: 'land', flight });
      } catch (error) {
        dispatch({
          type: 'fail',
          flightId: flight.id,
          problem: problemOfError(error, flight.plan, latest.current.now),
        });
      }
    },
    [mutateAsync, keep],
  );

  // Moves of this site that were begun before: they are drawn, and their outcome is told here.
  const hasResumed = useRef(false);
  useEffect(() => {
    if (hasResumed.current) return;
    hasResumed.current = true;
    for (const { update } of guestCommands.open) {
      if (update?.siteId !== siteId || !update.bedId) continue;
      const plan = planOf(latest.current.board, update.guestId, update.bedId);
      if (!plan || statusOf(plan) !== update.status) continue;
      flightCount.current += 1;
      const flight: Flight = { id: flightCount.current, plan };
      dispatch({ type: 'resume', flight });
      void follow(flight, update);
    }
  }, [follow, siteId]);

  const attempt = useCallback(
    async (planned: Plan) => {
      const { now: present } = latest.current;
      // Two presses before the next drawing are one.
      if (guestCommands.isOpen(planned.guest.id)) return;
      const deviation = deviationOf(present, planned);
      if (deviation) {
        dispatch({ type: 'fail', flightId: null, problem: problemOfDeviation(deviation, planned, present) });
        return;
      }
      const plan = { ...planned, guest: findGuest(present, planned.guest.id) ?? planned.guest };
      flightCount.current += 1;
      const flight: Flight = { id: flightCount.current, plan };
      dispatch({ type: 'take-off', flight });
      const { guest, to } = plan;
      await follow(flight, {
        siteId,
        guestId: guest.id,
        status: statusOf(plan),
        bedId: to.bedId,
        version: guest.version,
      });
    },
    [follow, siteId],
  );

  const way = state.done ? reverseOf(state.done) : null;
  const undoable = way && mayUndo(now, way, rules) ? way : null;

  const { done, problem, said } = state;
  useEffect(() => {
    if (said && endOfMode({ said }) !== null) toast.news(latest.current.texts.notice(said.notice));
  }, [said]);
  useEffect(() => {
    if (!done) return;
    const { texts: words, now: present, rules: valid } = latest.current;
    const back = reverseOf(done);
    const isOpen = back !== null && mayUndo(present, back, valid);
    const about = `guest:${done.guest.id}`;
    const takeBack = () => {
      const { id, displayName } = done.guest;
      const version = findGuest(latest.current.now, id)?.version ?? done.guest.version;
      return latest.current.undoAccept({ id, siteId, status: 'accepted', version }, displayName);
    };
    const undo = isOpen ? { onUndo: () => attempt(back) } : done.from ? undefined : { onUndo: takeBack };
    toast.success(words.notice(noticeOfMove(done)), { about, undo });
  }, [done, attempt, siteId]);
  useEffect(() => {
    if (problem?.key !== 'failed') return;
    const { texts: words } = latest.current;
    toast.error(`${words.problem(problem)} ${words.reason(problem)}`.trim(), { about: `guest:${problem.guest.id}` });
  }, [problem]);

  const actions = useMemo(
    () => ({
      toggleMode: (guestId: string) => {
        // Beds can be pressed now where something else was, or the other way around.
        keepSecondPress();
        const { board: seen, rules: valid } = latest.current;
        dispatch({ type: 'toggle-mode', board: seen, guestId, barred: barredBeds(seen, guestId, valid) });
      },
      leaveMode: () => dispatch({ type: 'leave-mode' }),
      step: (key: StepKey, columns: number) => dispatch({ type: 'step', board: latest.current.board, key, columns }),
      choose: (bedId: string) => {
        const { board: seen, state: present, rules: valid, isUnasked: isQuick } = latest.current;
        const guestId = present.mode?.guest.id;
        const barred = guestId === undefined ? null : barOf(seen, guestId, bedId, valid);
        const plan = isQuick && guestId !== undefined ? unaskedPlan(seen, guestId, bedId, valid) : null;
        if (barred) dispatch({ type: 'bar', bedId, problem: barred });
        else if (plan) void attempt(plan);
        else dispatch({ type: 'choose', board: seen, bedId });
      },
      drag: (guestId: string) => dispatch({ type: 'drag', guestId }),
      drop: (guestId: string, bedId: string | null, at: Point | null) => {
        const { board: seen, now: present, rules: valid, isUnasked: isQuick } = latest.current;
        const barred = barOf(seen, guestId, bedId, valid);
        const plan = isQuick ? unaskedPlan(seen, guestId, bedId, valid) : null;
        if (barred) dispatch({ type: 'bar', bedId: null, problem: barred });
        else if (plan) {
          dispatch({ type: 'cancel-drag' });
          void attempt(plan);
        } else dispatch({ type: 'drop', guestId, bedId, at, seen, board: present });
      },
      /** Whether a bed is shown as one that would take the guest who is dragged. */
      canDrop: (bedId: string) => {
        const { board: seen, state: present, rules: valid } = latest.current;
        if (present.draggedGuestId === null) return true;
        return (
          findBed(seen, bedId)?.offeredUntil === null && barOf(seen, present.draggedGuestId, bedId, valid) === null
        );
      },
      cancelDrag: () => dispatch({ type: 'cancel-drag' }),
      confirm: () => {
        const { question } = latest.current.state;
        if (question) void attempt(question.plan);
      },
      cancelQuestion: () => dispatch({ type: 'cancel-question' }),
      undo: (plan: Plan) => void attempt(plan),
      takeOffer: (guest: GuestShort, to: Place) => void attempt(assignmentOf(latest.current.now, guest, to)),
      dismissProblem: () => dispatch({ type: 'dismiss-problem' }),
    }),
    [attempt],
  );

  return {
    board,
    rules,
    state: { ...state, problem: withFittingOffer(problem, now, rules) },
    waits,
    waiting,
    undoable,
    actions,
  };
}

export type BoardActions = ReturnType<typeof useBedBoard>['actions'];
