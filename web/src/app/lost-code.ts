import { hasNoNetwork } from '@/lib/lost-connection';

const NO_NETWORK = 'no network';

/**
 * Keeps the page when the code of a screen cannot be loaded because there is no network. The router would reload the whole
 * page, as it must after an update of Berth, and the browser would show its own error page. With another message than the one
 * that the router looks for, it shows our error screen instead, which loads again when the network is back. `signOut` is
 * called at once, for the lost code may be that of a sign-out that the user asked for.
 */
export function keepPageWithoutNetwork(signOut: () => void): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    signOut();
    if (hasNoNetwork()) payload.message = NO_NETWORK;
  });
}

/** Returns true if code could not be loaded because there was no network. */
export function isLostWithNetwork(error: unknown): boolean {
  return String(error).endsWith(NO_NETWORK);
}
