import { rememberSignOut } from '@/access/sign-out';

const NO_NETWORK = 'no network';

/**
 * Keeps the page when the code of a screen cannot be loaded because there is no network. The router would reload the whole
 * page, as it must after an update of Berth, and the browser would show its own error page. With another message than the one
 * that the router looks for, it shows our error screen instead. `loadAgain` is called when the network is back. A sign-out
 * that was asked for is remembered.
 */
export function keepPageWithoutNetwork(loadAgain: () => void): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (navigator.onLine) return;
    payload.message = NO_NETWORK;
    window.addEventListener('online', loadAgain, { once: true });
    if (location.pathname === '/logout') rememberSignOut();
  });
}

/** Returns true if code could not be loaded because there was no network. */
export function isLostWithNetwork(error: unknown): boolean {
  return String(error).endsWith(NO_NETWORK);
}
