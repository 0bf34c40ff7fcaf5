import { type Browser, type BrowserContext, type BrowserContextOptions, request, test as base } from '@playwright/test';
import type { AccountName } from './accounts.ts';
import { Api } from './api.ts';
import { type Server, startServer } from './server.ts';
import { signInByApi } from './sign-in.ts';

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

interface OfWorker {
  /** Tests with another name get a worker, and with it a server, of their own. */
  serverName: string;
  /** A demo server for the tests of this worker. */
  server: Server;
  /** The session of an account, signed in once a worker: codes are limited to five an hour. */
  sessionOf: (name: AccountName) => Promise<Session>;
}

interface OfTest {
  /** A browser window; with an account it is signed in. Closed after the test. */
  openContext: (name: AccountName | null, options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** The API as an account sees it. */
  apiAs: (name: AccountName) => Promise<Api>;
}

export const test = base.extend<OfTest, OfWorker>({
  serverName: ['shared', { option: true, scope: 'worker' }],

  server: [
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  sessionOf: [
    async ({ server }, use) => {
      const sessions = new Map<AccountName, Session>();
      await use(async (name) => {
        const known = sessions.get(name);
        if (known) return known;
        const context = await request.newContext();
        await signInByApi(context, server.origin, name);
        const session = await context.storageState();
        await context.dispose();
        sessions.set(name, session);
        return session;
      });
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => {
    await use(server.origin);
  },

  openContext: async ({ browser, server, sessionOf, contextOptions, locale, timezoneId, viewport }, use) => {
    const opened = new Set<BrowserContext>();
    await use(async (name, options = {}) => {
      const context = await newContext(browser, {
        ...contextOptions,
        locale,
        timezoneId,
        viewport,
        baseURL: server.origin,
        ...(name ? { storageState: await sessionOf(name) } : {}),
        ...options,
      });
      opened.add(context);
      // A test may close one itself.
      context.once('close', () => opened.delete(context));
      return context;
    });
    for (const context of opened) {
      // What is on its way when a test has ended has nobody to answer to.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
  },

  apiAs: async ({ server, sessionOf }, use) => {
    const opened: Api[] = [];
    await use(async (name) => {
      const context = await request.newContext({ baseURL: server.origin, storageState: await sessionOf(name) });
      const api = new Api(context);
      opened.push(api);
      return api;
    });
    for (const api of opened) await api.dispose();
  },
});

export { expect } from '@playwright/test';

/** A window whose page errors fail the test: a screen that throws is broken even where nobody looks. */
async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.on('weberror', (error) => {
    throw new Error(`The page threw: ${error.error().stack ?? error.error().message}`);
  });
  if (process.env.BERTH_SLOW === '1') await slowDown(context);
  return context;
}

/**
 * Code and answers come up to a second late, each in its own time. A test that passes on a quick machine alone, because it
 * does not wait for what it goes on with, fails like this: `BERTH_SLOW=1 make e2e` looks for such tests.
 */
async function slowDown(context: BrowserContext): Promise<void> {
  await context.route(/\/(assets|api|connect)\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * 1000));
    // The page may be gone by now.
    await route.fallback().catch(() => {});
  });
}
