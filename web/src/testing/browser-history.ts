import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { onTestFinished } from 'vitest';

/**
 * The history of the browser as if the user had come by these addresses to the last one. A history in memory asks nobody
 * before it goes back.
 */
export function browserHistory(...addresses: readonly string[]): RouterHistory {
  const { href } = window.location;
  const history = createBrowserHistory();
  for (const address of addresses) {
    history.push(address);
    history.flush();
  }
  onTestFinished(() => {
    history.destroy();
    window.history.pushState(null, '', href);
  });
  return history;
}
