import createClient, { type Middleware } from 'openapi-fetch';
import { isUserPresent, noteCountedCall } from './activity';
import { apiErrorOf, NetworkError } from './errors';
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
  fetch: reach,
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

/** The /connect calls are form-encoded; the client writes the body accordingly when it sees this header. */
export const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' } as const;
