import { onUserForgotten } from '@/lib/session-end';
import { ApiError, NetworkError } from './errors';

/**
 * Why there is no outcome yet: `unsent` never left, there is no network; `unknown` was sent and has no answer: it may have
 * been carried out or not.
 */
export type Waiting = 'unsent' | 'unknown';

/** Time for one answer, in milliseconds; after it the server is asked again. */
const MAX_WAIT_MILLISECONDS = 8000;
/** Waits between two times of asking, in milliseconds. */
const BACKOFF_MILLISECONDS = [1000, 2000, 5000, 10_000] as const;
/** Answers of 500 after which a request counts as failed: had it been carried out, its key would have told. */
const MAX_SERVER_ERRORS = 3;

interface Options {
  /** Called when a request has to wait, and again when the reason changes. */
  onWaiting: (waiting: Waiting) => void;
  /** Receives a function that asks at once instead of after the pause. */
  onPause?: (askNow: () => void) => void;
}

/** Ends all asking: a request of one user must never be sent again under the session of another. */
let session = new AbortController();
onUserForgotten(() => {
  session.abort();
  session = new AbortController();
});

/**
 * Sends a request that carries an idempotency key until its outcome is known: a lost answer is asked for again under the
 * same key, so that it is carried out once and never reported as failed when it was not. Resolves with the answer,
 * rejects when the server has refused it.
 */
export async function askUntilKnown<T>(send: (signal: AbortSignal) => Promise<T>, options: Options): Promise<T> {
  const { onWaiting, onPause } = options;
  const { signal } = session;
  let waiting: Waiting | undefined;
  /** Whether one of the answers was lost: from then on only an answer tells what was done. */
  let isLost = false;
  let serverErrors = 0;
  for (let tries = 0; ; tries += 1) {
    const wasOffline = !navigator.onLine;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), MAX_WAIT_MILLISECONDS);
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      return await send(AbortSignal.any([signal, limit.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (isOutcome(error)) throw error;
      const hasFailed = error instanceof ApiError && error.status === 500;
      // What was sent without a network never left.
      const hasLeft = !(wasOffline && error instanceof NetworkError);
      if (hasFailed) serverErrors += 1;
      else if (hasLeft) isLost = true;
      if (!isLost && serverErrors >= MAX_SERVER_ERRORS) throw error;
      waiting = hasLeft || waiting === 'unknown' ? 'unknown' : 'unsent';
      onWaiting(waiting);
    } finally {
      clearTimeout(timer);
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await pause(BACKOFF_MILLISECONDS[Math.min(tries, BACKOFF_MILLISECONDS.length - 1)] ?? 0, signal, onPause);
    signal.throwIfAborted();
  }
}

function pause(milliseconds: number, signal: AbortSignal, onPause: Options['onPause']): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    onPause?.(end);
  });
}

/** Whether an error tells that nothing was done; a lost answer and a busy or broken server do not. */
function isOutcome(error: unknown): boolean {
  if (!(error instanceof ApiError) || error instanceof NetworkError) return false;
  const isDiskFull = error.status === 507;
  return error.status < 500 || isDiskFull;
}
