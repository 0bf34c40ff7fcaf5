import createClient, { type Middleware } from 'openapi-fetch';
import { monotonicNow, noteServerTime } from '@/lib/clock';
import { isUserPresent, noteCountedCall } from './activity';
import { askForChange, withKeptBody } from './entity-tags';
import { apiErrorOf, NetworkError, OfflineError } from './errors';
import { loadProblemWords } from './problem-words';
import type { components, paths } from './schema';

/** The server's schemas by name: `Schemas['Guest']`. */
export type Schemas = components['schemas'];

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const ourHeaders: Middleware = {
  onRequest({ request }) {
    // Proof that the call comes from our own page: a foreign page cannot set it (guide web, section 1).
    if (!SAFE_METHODS.has(request.method)) request.headers.set('X-Berth', '1');
    if (!isUserPresent()) request.headers.set('X-Berth-Background', '1');
    return request;
  },
};

/** Time after which a call counts as lost, in milliseconds: the server itself gives up after 30 seconds. */
const MAX_WAIT_MILLISECONDS = 35_000;

async function reach(request: Request): Promise<Response> {
  askForChange(request);
  const limit = AbortSignal.timeout(MAX_WAIT_MILLISECONDS);
  const sentAt = monotonicNow();
  const isOffline = !navigator.onLine;
  try {
    // Tried all the same: the browser does not know of a server on the same machine. Looked up at each call, so that tests may put their own answers in its place.
    const response = await globalThis.fetch(request, { signal: AbortSignal.any([request.signal, limit]) });
    noteTime(response, sentAt);
    if (response.ok && !request.headers.has('X-Berth-Background')) noteCountedCall(sentAt);
    return await withKeptBody(request, response);
  } catch (error) {
    if (request.signal.aborted && !isTimeout(request.signal)) throw error;
    throw isOffline ? new OfflineError() : new NetworkError();
  }
}

/** Returns true if the caller's own limit has passed: the call is lost then, not given up. */
function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** Each answer says what time it is on the server. */
function noteTime(response: Response, sentAt: number): void {
  const time = Date.parse(response.headers.get('X-Berth-Time') ?? '');
  if (!Number.isNaN(time)) noteServerTime(time, sentAt, monotonicNow());
}

/** The typed client of our own API. Use it through `unwrap`, which turns a refusal into an ApiError. */
export const client = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? 'http://localhost' : location.origin,
  fetch: reach,
});
client.use(ourHeaders);

/** Resolves with the body of a good answer; throws an ApiError for any other. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<Exclude<T, undefined>> {
  const { data, error, response } = await call;
  if (!response.ok) {
    await loadProblemWords();
    throw apiErrorOf(response, error);
  }
  return data as Exclude<T, undefined>;
}

/** Sent along with the values of a form. */
export interface SaveContext {
  /** Idempotency key: the same for every attempt of one intent, so that a retry after a lost answer has no second effect. */
  key: string;
  /** Version of the record that the user saw; undefined for a new record. */
  version: number | undefined;
}

/** Returns the `Idempotency-Key` header. */
export function keyHeader({ key }: Pick<SaveContext, 'key'>): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': key };
}

/** Returns a new `Idempotency-Key`: one per intent, kept until its outcome is known. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

/** The /connect calls are form-encoded; the client writes the body accordingly when it sees this header. */
export const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' } as const;
