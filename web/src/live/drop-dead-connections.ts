/** Connections that a browser keeps to one host over HTTP/1.1. */
const MAX_CONNECTIONS = 6;
/** Time in which a living connection answers, in milliseconds. */
const MAX_WAIT_MILLISECONDS = 4000;

/**
 * Makes the browser give up connections that died without a word. It keeps idle ones and would send the next requests
 * over them, each of which would then hang for as long as the one before: so every one of them is tried at once, and those
 * that do not answer are closed by the abort. Resolves when all have answered or were given up.
 */
export async function dropDeadConnections(): Promise<void> {
  const tries = Array.from({ length: MAX_CONNECTIONS }, async () => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), MAX_WAIT_MILLISECONDS);
    try {
      await globalThis.fetch('/healthz', { cache: 'no-store', signal: limit.signal });
    } catch {
      // Dead, or no network at all: the stream finds out.
    } finally {
      clearTimeout(timer);
    }
  });
  await Promise.all(tries);
}
