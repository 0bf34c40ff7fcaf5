import { askUntilKnown, type Waiting } from '@/api/ask-until-known';
import { client, newIdempotencyKey, type Schemas, unwrap } from '@/api/client';
import { PendingChangeError, UnauthorizedError } from '@/api/errors';
import { noteRefused, noteUnconfirmed, onUserForgotten } from '@/lib/session-end';

type Guest = Schemas['Guest'];

/** The commands of DESIGN section 3. */
export type GuestStatusCommand =
  | 'ACCEPTED'
  | 'REASSIGNED'
  | 'SWAP'
  | 'REJECTED'
  | 'DISCHARGED'
  | 'ARRIVED'
  | 'NOT_ARRIVED'
  | 'NO_SHOW'
  | 'UNDO';

/** One decision about a guest. `bedId` is needed by ACCEPTED, REASSIGNED and SWAP, null otherwise. */
export interface GuestUpdate {
  guestId: string;
  siteId: string;
  status: GuestStatusCommand;
  bedId?: string | null;
  /** The version of the guest the decision was made on; the server refuses when it has changed since. */
  version?: number;
  feedback?: string;
  /** A reason from the list of the organization, for a decline or a discharge. */
  reasonId?: string | undefined;
  /** Why the guest is placed against the rules of a strict site. */
  placementReason?: string | undefined;
}

/** A guest to add, with the key of the form instance it comes from: a repeated send adds the guest once. */
export interface GuestToAdd {
  body: Schemas['NewGuest'];
  idempotencyKey: string;
}

/** A change of something else than a guest, under the same rules. */
export interface OtherChange<Result> {
  /** What it changes, such as `waiting:<id>`. Only one change of it runs at a time. */
  about: string;
  /** What the user decided. The same decision again, before the outcome is known, joins the first one. */
  intent: string;
  /** The idempotency key of a form instance. Unless given, the change gets a new one. */
  idempotencyKey?: string;
  send: (idempotencyKey: string, signal: AbortSignal) => Promise<Result>;
}

/** How far a command has got: on its way, or waiting for a reason. */
export type CommandState = 'sending' | Waiting;

/** A command whose outcome is not known yet. */
export interface OpenCommand {
  /** The idempotency key: one for the intent, the same for every time it is sent. */
  readonly key: string;
  /** What it changes: the id of the guest, or what a change of something else names. */
  readonly about: string;
  /** The decision about a guest; none when a guest is added, or something else is changed. */
  readonly update?: GuestUpdate;
  readonly state: CommandState;
}

interface Running {
  readonly key: string;
  readonly update?: GuestUpdate;
  readonly intent?: string;
  state: CommandState;
  answer: Promise<unknown>;
  /** Ends the wait before the next time of asking. */
  askNow: () => void;
}

/**
 * Sends commands on guests, each under one idempotency key until its outcome is known. A lost answer is asked for again
 * with the same key, so that a command is carried out once and never reported as failed when it was not. Without a
 * network a command waits and is sent when the network is back.
 */
export class GuestCommands {
  /** By what they are about: a guest has one at a time, and so has a form for a new one, or a person on a waitlist. */
  #running = new Map<string, Running>();
  /** The last command on each guest that the server has carried out, with its answer. */
  #done = new Map<string, { update: GuestUpdate; guest: Guest }>();
  #listeners = new Set<() => void>();
  #open: readonly OpenCommand[] = [];
  #isGuarding = false;

  /** The commands whose outcome is not known yet; a new array after each change. */
  get open(): readonly OpenCommand[] {
    return this.#open;
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns true if a command on the guest, or another change of this name, has no outcome yet. */
  isOpen(about: string): boolean {
    return this.#running.has(about);
  }

  /**
   * Sends a command and resolves with the guest as the server then has it; rejects only when the server has refused it.
   * The same command again is the same intent while the outcome is not known, and afterwards while the screen still shows
   * the version it was made on: a double click sends one. Another command on the same guest has to wait.
   */
  send(update: GuestUpdate): Promise<Guest> {
    const { guestId } = update;
    const before = this.#running.get(guestId);
    if (before?.update) {
      return isSame(before.update, update)
        ? (before.answer as Promise<Guest>)
        : Promise.reject(new PendingChangeError());
    }
    const done = this.#done.get(guestId);
    if (done && isRepeat(done.update, update)) return Promise.resolve(done.guest);
    const key = newIdempotencyKey();
    return this.#run(
      guestId,
      { key, update },
      (signal) => patchGuest(update, key, signal),
      (guest) => this.#done.set(guestId, { update, guest }),
    );
  }

  /** Returns true if sending the command would only join, or repeat, one that was sent before. */
  isRepeat(update: GuestUpdate): boolean {
    const before = this.#running.get(update.guestId)?.update ?? this.#done.get(update.guestId)?.update;
    return before !== undefined && isRepeat(before, update);
  }

  /** Returns the last command on the guest from this tab that was carried out, and the guest as it left it. */
  lastDone(guestId: string): { readonly update: GuestUpdate; readonly guest: Guest } | undefined {
    return this.#done.get(guestId);
  }

  /** Adds a guest by hand; as with `send`, and the same key again is the same intent. */
  add({ body, idempotencyKey: key }: GuestToAdd): Promise<Guest> {
    const before = this.#running.get(key)?.answer as Promise<Guest> | undefined;
    return before ?? this.#run(key, { key }, (signal) => postGuest(body, key, signal));
  }

  /** Changes something else; as with `send`. */
  change<Result>({ about, intent, idempotencyKey, send }: OtherChange<Result>): Promise<Result> {
    const before = this.#running.get(about);
    if (before) {
      return before.intent === intent ? (before.answer as Promise<Result>) : Promise.reject(new PendingChangeError());
    }
    const key = idempotencyKey ?? newIdempotencyKey();
    return this.#run(about, { key, intent }, (signal) => send(key, signal));
  }

  /** Asks for every open outcome at once: the connection is back. */
  askAll = (): void => {
    for (const { askNow } of this.#running.values()) askNow();
  };

  /** Forgets all commands: the session has ended, which ends the asking as well. */
  abandonAll(): void {
    noteUnconfirmed(this.#running.size > 0);
    this.#running.clear();
    this.#done.clear();
    this.#changed();
  }

  #run<Result>(
    about: string,
    command: Pick<Running, 'key' | 'update' | 'intent'>,
    send: (signal: AbortSignal) => Promise<Result>,
    keep?: (result: Result) => void,
  ): Promise<Result> {
    const asking = askUntilKnown(send, {
      onWaiting: (state) => {
        running.state = state;
        this.#changed();
      },
      onPause: (askNow) => {
        running.askNow = askNow;
      },
    });
    const close = () => {
      if (this.#running.get(about) !== running) return;
      this.#running.delete(about);
      this.#changed();
    };
    const answer = asking.then(
      (result) => {
        if (this.#running.get(about) === running) keep?.(result);
        close();
        return result;
      },
      (error: unknown) => {
        // Nobody knows whether it was made: `abandonAll` finds it open.
        const wasLost = error instanceof UnauthorizedError && running.state !== 'sending';
        if (!wasLost) close();
        if (error instanceof UnauthorizedError) noteRefused('change', wasLost);
        throw error;
      },
    );
    const running: Running = { ...command, state: 'sending', answer, askNow: () => undefined };
    this.#running.set(about, running);
    this.#changed();
    return answer;
  }

  #changed(): void {
    this.#open = [...this.#running].map(([about, { key, update, state }]) => ({ key, about, update, state }));
    this.#guardPage(this.#open.length > 0);
    for (const listener of this.#listeners) listener();
  }

  /** While an outcome is open, leaving the page asks first, and a network that is back is used at once. */
  #guardPage(isNeeded: boolean): void {
    if (isNeeded === this.#isGuarding || typeof window === 'undefined') return;
    this.#isGuarding = isNeeded;
    const change = isNeeded ? 'addEventListener' : 'removeEventListener';
    window[change]('beforeunload', warnBeforeUnload);
    window[change]('online', this.askAll);
  }
}

function warnBeforeUnload(event: Event): void {
  event.preventDefault();
}

function patchGuest(update: GuestUpdate, key: string, signal: AbortSignal): Promise<Guest> {
  const { guestId, status, bedId, version, feedback, reasonId, placementReason } = update;
  const call = client.PATCH('/api/Guests/{id}', {
    params: { path: { id: guestId } },
    headers: { 'Idempotency-Key': key },
    signal,
    body: {
      id: guestId,
      status,
      bedId: bedId ?? null,
      ...(version === undefined ? {} : { version }),
      ...(feedback ? { feedback } : {}),
      ...(reasonId ? { reasonId } : {}),
      ...(placementReason ? { placementReason } : {}),
    },
  });
  return unwrap(call);
}

function postGuest(body: Schemas['NewGuest'], key: string, signal: AbortSignal): Promise<Guest> {
  return unwrap(client.POST('/api/Guests', { body, headers: { 'Idempotency-Key': key }, signal }));
}

function isSame(one: GuestUpdate, other: GuestUpdate): boolean {
  return (
    one.status === other.status &&
    (one.bedId ?? null) === (other.bedId ?? null) &&
    (one.feedback ?? '') === (other.feedback ?? '') &&
    one.reasonId === other.reasonId &&
    one.placementReason === other.placementReason
  );
}

/** Whether it is the same command on the same version of the guest: carried out once, it could only be refused. */
function isRepeat(one: GuestUpdate, other: GuestUpdate): boolean {
  return other.version !== undefined && one.version === other.version && isSame(one, other);
}

/** The commands of this tab. */
export const guestCommands = new GuestCommands();
onUserForgotten(() => guestCommands.abandonAll());
