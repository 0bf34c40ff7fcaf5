import { rememberSignOut } from '@/access/sign-out';

const NO_NETWORK = 'no network';

/**
 * The router loads the whole page again when the code of a screen cannot be loaded, since a new version of Berth has other
 * files. Without a network nothing would be left then but the browser's own error page. What it does not take for lost code
 * it shows on the error screen, until the network is back. Whoever wanted to sign out is signed out as soon as that can be done.
 */
export function keepPageWithoutNetwork(loadAgain: () => void): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (navigator.onLine) return;
    payload.message = NO_NETWORK;
    window.addEventListener('online', loadAgain, { once: true });
    if (location.pathname === '/logout') rememberSignOut();
  });
}

/** Whether code could not be loaded because there was no network. */
export function isLostWithNetwork(error: unknown): boolean {
  return String(error).endsWith(NO_NETWORK);
}
