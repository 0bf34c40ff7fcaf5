import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from './lib/browser.ts';

// Their tests wait for most of their time, for a line that froze or a server that is gone.
const WAITING = /(frozen|two-nodes)\.spec\.ts/;

// Two runs side by side keep apart what they leave; the workers of a run inherit the name.
process.env.BERTH_E2E_RESULTS ??= `test-results/${process.pid}`;

export default defineConfig({
  testDir: 'tests',
  outputDir: process.env.BERTH_E2E_RESULTS,
  fullyParallel: false,
  forbidOnly: true,
  // A test that needs a second try is a bug.
  retries: 0,
  // Each worker has a server of its own; a browser and a server keep a core busy, unless they wait.
  workers: 3,
  projects: [
    { name: 'waiting', testMatch: WAITING, workers: 1 },
    { name: 'busy', testIgnore: WAITING, workers: 2 },
  ],
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    launchOptions: chromiumLaunchOptions(),
    actionTimeout: 10_000,
    navigationTimeout: 20_000,
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 1360, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace tells each step. Its film and its pictures of the DOM would be made in every test and thrown away: BERTH_TRACE=1
    // asks for them.
    trace: {
      mode: 'retain-on-failure',
      screenshots: process.env.BERTH_TRACE === '1',
      snapshots: process.env.BERTH_TRACE === '1',
    },
    screenshot: 'only-on-failure',
  },
});
