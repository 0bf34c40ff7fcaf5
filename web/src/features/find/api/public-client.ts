import createClient from 'openapi-fetch';
import { apiErrorOf, NetworkError } from '@/api/errors';
import { loadProblemWords } from '@/api/problem-words';
import type { paths } from '@/api/schema';
import { monotonicNow, noteServerTime } from '@/lib/clock';

/** Time after which a call counts as lost, in milliseconds: the server itself gives up after 30 seconds. */
const MAX_WAIT_MILLISECONDS = 35_000;

async function reach(request: Request): Promise<Response> {
  const limit = AbortSignal.timeout(MAX_WAIT_MILLISECONDS);
  const sentAt = monotonicNow();
  try {
    const response = await globalThis.fetch(request, { signal: AbortSignal.any([request.signal, limit]) });
    const time = Date.parse(response.headers.get('X-Berth-Time') ?? '');
    if (!Number.isNaN(time)) noteServerTime(time, sentAt, monotonicNow());
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new NetworkError();
  }
}

/**
 * The client of the public API. Unlike the one of the signed-in app it sends no cookies, so that the page works in a frame of
 * another site, and it keeps no session alive.
 */
export const publicClient = createClient<paths>({ baseUrl: location.origin, credentials: 'omit', fetch: reach });

/** Resolves with the body of a good answer; throws an ApiError for any other. */
export async function unwrapPublic<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<Exclude<T, undefined>> {
  const { data, error, response } = await call;
  if (!response.ok) {
    await loadProblemWords();
    throw apiErrorOf(response, error);
  }
  return data as Exclude<T, undefined>;
}
