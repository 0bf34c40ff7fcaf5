import { connection } from '@/lib/lost-connection';

/** Connections that a browser keeps to one host over HTTP/1.1. */
const MAX_CONNECTIONS = 6;
/** Time in which a living connection answers, in milliseconds. */
const MAX_WAIT_MILLISECONDS = 4000;

/**
 * Makes the browser give up connections that died without a word. It keeps idle ones and would send the next requests
 * over them, each of which would then hang for as long as the one before: so every one of them is tried at once, and those
 * that do not answer are closed by the abort. Those that are busy may be all that the browser has, and code that is being
 * loaded over them waits without a limit: they are closed if nothing answers, or if `wasLive` says that they are from
 * before the silence. Resolves when all have answered or were given up.
 */
export async function dropDeadConnections(wasLive: boolean): Promise<void> {
  const tries = Array.from({ length: MAX_CONNECTIONS }, async () => {
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
  });
  const answered = await Promise.all(tries);
  if (!wasLive && answered.includes(true)) return noteConnection();
  connection.isLost = true;
  window.stop();
}

/** Tells that the server answers. What waits for the network hears of it as of a network that is back. */
export function noteConnection(): void {
  if (!connection.isLost) return;
  connection.isLost = false;
  window.dispatchEvent(new Event('online'));
}
