import { expect, type Page, type Request, type Route } from '@playwright/test';

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

const isScript = (request: Request) => request.resourceType() === 'script';

/**
 * Called before a page is opened. Returns a function that waits until the script with `mark` in it has come, and every other script that
 * was asked for by then: code that is loaded ahead comes after the screen.
 */
export function followCode(page: Page, mark: string): () => Promise<void> {
  const onTheirWay = new Set<Request>();
  page.on('request', (request) => isScript(request) && onTheirWay.add(request));
  page.on('requestfinished', (request) => onTheirWay.delete(request));
  page.on('requestfailed', (request) => onTheirWay.delete(request));
  const marked = page.waitForResponse(
    async (response) => isScript(response.request()) && (await response.text()).includes(mark),
  );
  return async () => {
    await marked;
    await expect.poll(() => onTheirWay.size).toBe(0);
  };
}
