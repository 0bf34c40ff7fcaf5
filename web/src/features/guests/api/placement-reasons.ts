import { useSyncExternalStore } from 'react';
import { ConflictError } from '@/api/errors';
import type { Schemas } from '@/api/client';
import type { GuestUpdate } from './guest-commands';
import { onUserForgotten } from '@/lib/session-end';

/** A placement against the rules of a strict site, which waits for a reason. */
export interface PlacementQuestion {
  readonly number: number;
  /** The guest who is placed, or exchanges the bed with somebody. */
  readonly guest: Schemas['Guest'];
  /** The command that was refused. */
  readonly update: GuestUpdate;
  /** Gives the reason, or null to give up. The first answer counts. */
  readonly answer: (reason: string | null) => void;
}

/** The questions in the order they came up; the first one is asked. */
let questions: readonly PlacementQuestion[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: readonly PlacementQuestion[]): void {
  questions = next;
  for (const listener of listeners) listener();
}

const AGAINST_RULES = ['placement-reason-needed', 'placement-needs-admin'];

/** Returns true if the server refused a placement by the rules of the site or the house: nobody else was faster. */
export function isAgainstRules(error: unknown): boolean {
  return error instanceof ConflictError && AGAINST_RULES.includes(error.code ?? '');
}

/** Returns true if the server would agree to the placement if a reason were given. */
export function isReasonMissing(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.code === 'placement-reason-needed';
}

/**
 * Sends a command on a guest; if only a reason is missing, asks the user for one and sends the command again with it. Rejects with
 * the refusal if the user gives up.
 */
export async function withPlacementReason<Result>(
  update: GuestUpdate,
  send: (update: GuestUpdate) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(update);
  } catch (error) {
    const guest = isReasonMissing(error) ? error.problem.guest : undefined;
    if (!guest) throw error;
    const reason = await ask(guest, update);
    if (reason === null) throw error;
    return send({ ...update, placementReason: reason });
  }
}

function ask(guest: Schemas['Guest'], update: GuestUpdate): Promise<string | null> {
  return new Promise((resolve) => {
    count += 1;
    const number = count;
    const answer = (reason: string | null) => {
      change(questions.filter((one) => one.number !== number));
      resolve(reason);
    };
    change([...questions, { number, guest, update, answer }]);
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The question to ask now; null if there is none. */
export function usePlacementQuestion(): PlacementQuestion | null {
  return useSyncExternalStore(subscribe, () => questions[0] ?? null);
}

onUserForgotten(() => {
  for (const { answer } of questions) answer(null);
});
