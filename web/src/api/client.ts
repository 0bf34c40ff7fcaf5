import createClient, { type Middleware } from 'openapi-fetch';
import { isUserPresent, noteCountedCall } from './activity';
import { apiErrorOf, NetworkError } from './errors';
import { renewSession } from './renewal';
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
  onResponse({ request, response }) {
    if (response.ok && !request.headers.has('X-Berth-Background')) noteCountedCall();
    return response;
  },
};

async function fetchWithRenewal(request: Request): Promise<Response> {
  const again = request.clone();
  const answer = await reach(request);
  if (answer.status !== 401 || isSignIn(request) || !(await renewSession())) return answer;
  return reach(again);
}

function isSignIn(request: Request): boolean {
  return new URL(request.url).pathname.startsWith('/connect/token');
}

async function reach(request: Request): Promise<Response> {
  try {
    // Looked up at each call, so that tests may put their own answers in its place.
    return await globalThis.fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new NetworkError();
  }
}

/** The typed client of our own API. Use it through `unwrap`, which turns a refusal into an ApiError. */
export const client = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? 'http://localhost' : location.origin,
  fetch: fetchWithRenewal,
});
client.use(ourHeaders);

/** Resolves with the body of a good answer; throws an ApiError for any other. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<Exclude<T, undefined>> {
  const { data, error, response } = await call;
  if (!response.ok) throw apiErrorOf(response, error);
  return data as Exclude<T, undefined>;
}

/** A fresh key for the `Idempotency-Key` header: one for each form instance or gesture, kept for its retries. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

/** Body serializer of the form-encoded /connect calls. */
export function formBody(body: Record<string, string | undefined>): URLSearchParams {
  const entries = Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(entries);
}
