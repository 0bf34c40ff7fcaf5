import { connection } from '@/lib/lost-connection';

/** Connections that a browser keeps to one host over HTTP/1.1. */
const MAX_CONNECTIONS = 6;
/** Time in which a living connection answers, in milliseconds. */
const MAX_WAIT_MILLISECONDS = 4000;
/** Time between two questions whether the server answers, in milliseconds. */
const ASK_AGAIN_MILLISECONDS = 2000;
/** Time in which what was stopped has failed, in milliseconds. */
const SETTLE_MILLISECONDS = 100;

/**
 * Makes the browser give up connections that died without a word. It keeps idle ones and would send the next requests
 * over them, each of which would then hang for as long as the one before: so every one of them is tried at once, and those
 * that do not answer are closed by the abort. Those that are busy may be all that the browser has, and code that is being
 * loaded over them waits without a limit: they are closed if nothing answers, or if `wasLive` says that they are from
 * before the silence (docs/decisions/0073). Resolves when all have answered or were given up.
 */
export async function dropDeadConnections(wasLive: boolean): Promise<void> {
  const answered = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, isAnswered));
  if (!wasLive && answered.includes(true)) return;
  const isWatched = connection.isLost;
  connection.isLost = true;
  window.stop();
  if (!isWatched) void waitForAnswer();
}

/** Asks until the server answers, and then lets everything that waits for the network begin anew. */
async function waitForAnswer(): Promise<void> {
  while (!(await isAnswered())) await wait(ASK_AGAIN_MILLISECONDS);
  // What was sent meanwhile hangs like what was sent before.
  window.stop();
  await wait(SETTLE_MILLISECONDS);
  connection.isLost = false;
  // The query client loads again what failed only if it has heard of a loss.
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
}

/** Returns true if the server answers over one of the connections that the browser has, or a new one. */
export async function isAnswered(): Promise<boolean> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), MAX_WAIT_MILLISECONDS);
  try {
    await globalThis.fetch('/healthz', { cache: 'no-store', signal: limit.signal });
    return true;
  } catch {
    // Dead, or no network at all: the stream finds out.
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
