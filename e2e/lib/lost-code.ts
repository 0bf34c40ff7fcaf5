import type { Page, Route } from '@playwright/test';

const SCRIPTS = '**/assets/*.js';

/** Loses the scripts that have `mark` in them until they are given back: as after a new version of the server, unless told how. */
export async function loseCode(
  page: Page,
  mark: string,
  lose: (route: Route) => Promise<void> = (route) => route.fulfill({ status: 404 }),
): Promise<{ count: () => number; giveBack: () => Promise<void> }> {
  let count = 0;
  await page.route(SCRIPTS, async (route) => {
    const response = await route.fetch();
    if (!(await response.text()).includes(mark)) return route.fulfill({ response });
    count += 1;
    return lose(route);
  });
  // Scripts that are on their way arrive first.
  return { count: () => count, giveBack: () => page.unrouteAll({ behavior: 'wait' }) };
}
