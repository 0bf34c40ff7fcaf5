import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConflictError, NetworkError, PendingChangeError, UnauthorizedError } from '@/api/errors';
import { lastUnsaved, noteUserShown, tellUserForgotten, wasUnconfirmed } from '@/lib/session-end';
import { guest } from '@/testing/bed-builders';
import { problem, serve } from '@/testing/server';
import { guestCommands, type GuestUpdate } from './guest-commands';

const accept: GuestUpdate = { guestId: 'anna', siteId: 's1', status: 'ACCEPTED', bedId: 'b', version: 1 };
const placed = guest('anna', { status: 'accepted', version: 2 });

/** A server that gives these answers one after the other, and notes the key of each request. */
function serveAnswers(...answers: (() => Response | Promise<Response>)[]) {
  const keys: (string | null)[] = [];
  serve(
    http.patch('/api/Guests/:id', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return answers[Math.min(keys.length, answers.length) - 1]?.();
    }),
  );
  return keys;
}
const yes = () => HttpResponse.json(placed);
const lost = () => HttpResponse.error();
const states = () => guestCommands.open.map(({ state }) => state);
const setOnline = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);

/** Whether the browser would ask before the page is left. */
function warnsOnLeaving(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

/** The refusal that a command ends with; nothing if it succeeds. Awaited later than it is asked for. */
function refusalOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Lets what has happened be noticed. */
async function settle() {
  await vi.advanceTimersByTimeAsync(0);
  await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
}

/** Time passes for the waits between two times of asking. */
async function pass(milliseconds: number) {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  tellUserForgotten();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a command is sent once under one key, and nothing is open afterwards', async () => {
  const keys = serveAnswers(yes);
  const answer = guestCommands.send(accept);
  expect(states()).toEqual(['sending']);
  expect(warnsOnLeaving()).toBe(true);
  await expect(answer).resolves.toEqual(placed);
  expect(keys).toHaveLength(1);
  expect(guestCommands.open).toEqual([]);
  expect(warnsOnLeaving()).toBe(false);
});

it('a double click is one intent', async () => {
  const keys = serveAnswers(yes);
  const [one, two] = [guestCommands.send(accept), guestCommands.send(accept)];
  await expect(Promise.all([one, two])).resolves.toEqual([placed, placed]);
  expect(keys).toHaveLength(1);
});

it('a second press on a screen that does not show the outcome yet is the same intent', async () => {
  const keys = serveAnswers(yes);
  await guestCommands.send(accept);
  expect(guestCommands.isRepeat(accept)).toBe(true);
  await expect(guestCommands.send(accept)).resolves.toEqual(placed);
  expect(keys).toHaveLength(1);
});

it.each([
  ['on a newer version', { version: 2 }],
  ['without a version', { version: undefined }],
  ['for another bed', { bedId: 'd' }],
])('the same command %s is sent', async (_what, fields) => {
  const keys = serveAnswers(yes);
  await guestCommands.send(accept);
  const other = { ...accept, ...fields } as GuestUpdate;
  expect(guestCommands.isRepeat(other)).toBe(false);
  await guestCommands.send(other);
  expect(keys).toHaveLength(2);
});

it('a command that was refused is sent again', async () => {
  const keys = serveAnswers(() => problem(409, 'This bed has just been taken.', { code: 'bed-taken' }), yes);
  expect(await refusalOf(guestCommands.send(accept))).toBeInstanceOf(ConflictError);
  await expect(guestCommands.send(accept)).resolves.toEqual(placed);
  expect(keys).toHaveLength(2);
});

it('another decision about the same guest waits for the first one', async () => {
  const keys = serveAnswers(yes);
  const one = guestCommands.send(accept);
  await expect(guestCommands.send({ ...accept, bedId: 'd' })).rejects.toThrow(PendingChangeError);
  await one;
  await guestCommands.send({ ...accept, status: 'REASSIGNED', bedId: 'd' });
  expect(new Set(keys).size).toBe(2);
});

it('a change of something else follows the same rules, by what it is about', async () => {
  const answers: (() => Promise<string>)[] = [() => Promise.reject(new NetworkError()), () => Promise.resolve('done')];
  const keys: string[] = [];
  const send = (key: string) => {
    keys.push(key);
    return answers[keys.length - 1]?.() ?? Promise.resolve('another');
  };
  const change = { about: 'waiting:1', intent: 'TAKE', send };
  const [one, two] = [guestCommands.change(change), guestCommands.change(change)];
  await expect(guestCommands.change({ ...change, intent: 'LEAVE' })).rejects.toThrow(PendingChangeError);
  await vi.waitFor(() => expect(states()).toEqual(['unknown']));
  expect(guestCommands.open.map(({ about }) => about)).toEqual(['waiting:1']);
  await pass(1000);
  await expect(Promise.all([one, two])).resolves.toEqual(['done', 'done']);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  await guestCommands.change({ ...change, idempotencyKey: 'of the form' });
  expect(keys[2]).toBe('of the form');
});

it('a lost answer is asked for with the same key until it is there; meanwhile nothing is known', async () => {
  const keys = serveAnswers(lost, lost, yes);
  const answer = guestCommands.send(accept);
  await vi.waitFor(() => expect(states()).toEqual(['unknown']));
  expect(warnsOnLeaving()).toBe(true);
  await pass(1000);
  await vi.waitFor(() => expect(keys).toHaveLength(2));
  await settle();
  await pass(2000);
  await expect(answer).resolves.toEqual(placed);
  expect(new Set(keys).size).toBe(1);
});

it('an answer that does not come within eight seconds is asked for again', async () => {
  const keys = serveAnswers(() => new Promise<Response>(() => undefined), yes);
  const answer = guestCommands.send(accept);
  await vi.waitFor(() => expect(keys).toHaveLength(1));
  await pass(8000);
  await vi.waitFor(() => expect(states()).toEqual(['unknown']));
  await pass(1000);
  await expect(answer).resolves.toEqual(placed);
  expect(new Set(keys).size).toBe(1);
});

it('a refusal after a lost answer is the outcome', async () => {
  const refusal = () => problem(409, 'This bed has just been taken.', { code: 'bed-taken' });
  serveAnswers(lost, refusal);
  const outcome = refusalOf(guestCommands.send(accept));
  await vi.waitFor(() => expect(states()).toEqual(['unknown']));
  await pass(1000);
  expect(await outcome).toBeInstanceOf(ConflictError);
  expect(guestCommands.open).toEqual([]);
});

it.each([
  ['a busy server', () => problem(503, 'The service is busy.')],
  ['a proxy without its server', () => problem(502, 'Bad gateway')],
  ['half an answer', () => new Response('{"id": "an', { headers: { 'Content-Type': 'application/json' } })],
])('%s is no outcome', async (_what, unsure) => {
  serveAnswers(unsure, yes);
  const answer = guestCommands.send(accept);
  await vi.waitFor(() => expect(states()).toEqual(['unknown']));
  await pass(1000);
  await expect(answer).resolves.toEqual(placed);
});

it('a server that fails three times has done nothing; after a lost answer that is not certain', async () => {
  const broken = () => problem(500, 'Something went wrong on our side.');
  const first = serveAnswers(broken);
  const failed = refusalOf(guestCommands.send(accept));
  for (const wait of [1000, 2000]) {
    const before = first.length;
    await vi.waitFor(() => expect(states()).toEqual(['unknown']));
    await pass(wait);
    await vi.waitFor(() => expect(first.length).toBeGreaterThan(before));
  }
  expect(await failed).toMatchObject({ status: 500 });
  const second = serveAnswers(lost, broken, broken, broken, broken, yes);
  const answer = guestCommands.send(accept);
  for (const wait of [1000, 2000, 5000, 10_000, 10_000]) {
    const before = second.length;
    await vi.waitFor(() => expect(second.length).toBeGreaterThanOrEqual(1));
    await settle();
    await pass(wait);
    await vi.waitFor(() => expect(second.length).toBeGreaterThan(before));
  }
  await expect(answer).resolves.toEqual(placed);
});

it('without a network a command waits unsent, and is sent with its key when the network is back', async () => {
  setOnline(false);
  const keys = serveAnswers(lost, yes);
  const answer = guestCommands.send(accept);
  await vi.waitFor(() => expect(states()).toEqual(['unsent']));
  expect(warnsOnLeaving()).toBe(true);
  setOnline(true);
  window.dispatchEvent(new Event('online'));
  await expect(answer).resolves.toEqual(placed);
  expect(new Set(keys).size).toBe(1);
});

it('a change that meets the end of the session is not forgotten in silence: the sign-in page can tell', async () => {
  serveAnswers(lost, () => problem(401, 'Sign in to continue.'));
  const outcome = refusalOf(guestCommands.send(accept));
  await vi.waitFor(() => expect(states()).toEqual(['unknown']));
  await pass(1000);
  expect(await outcome).toBeInstanceOf(UnauthorizedError);
  tellUserForgotten();
  expect(guestCommands.open).toEqual([]);
  expect(wasUnconfirmed()).toBe(true);
});

it('a change that the server refused because the session had ended was not made, and the sign-in page can say so', async () => {
  noteUserShown();
  serveAnswers(() => problem(401, 'Sign in to continue.'));
  await expect(guestCommands.send(accept)).rejects.toBeInstanceOf(UnauthorizedError);
  tellUserForgotten();
  expect(wasUnconfirmed()).toBe(false);
  expect(lastUnsaved()).toBe('change');
});

it('a session that ends takes its commands along: nobody else sends them', async () => {
  const keys = serveAnswers(lost);
  const outcome = refusalOf(guestCommands.send(accept));
  await vi.waitFor(() => expect(states()).toEqual(['unknown']));
  tellUserForgotten();
  expect(await outcome).toMatchObject({ name: 'AbortError' });
  expect(guestCommands.open).toEqual([]);
  expect(wasUnconfirmed()).toBe(true);
  await pass(60_000);
  expect(keys).toHaveLength(1);
  tellUserForgotten();
  expect(wasUnconfirmed()).toBe(false);
});
