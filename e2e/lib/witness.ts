import { cpus, loadavg } from 'node:os';
import { expect, type Locator, type Page, test } from '@playwright/test';

const LIMIT_MILLISECONDS = 1000;
/** Where far more runs than there are cores, waiting says nothing about Berth; only that the change arrives counts. */
const LIMIT_UNDER_LOAD_MILLISECONDS = 10_000;

function limit(): number {
  const isOverloaded = (loadavg()[0] ?? 0) > 2.5 * cpus().length;
  return isOverloaded ? LIMIT_UNDER_LOAD_MILLISECONDS : LIMIT_MILLISECONDS;
}

/** Someone else at the same board, who must see each change within a second and without a reload. */
export class Witness {
  private loads = 0;

  constructor(readonly page: Page) {
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.loads += 1;
    });
  }

  /** Does something elsewhere; what should appear here must do so at most a second after it is done. */
  async sees(what: Locator, act: () => Promise<void>): Promise<void> {
    const loadsBefore = this.loads;
    await expect(what).toBeHidden();
    const [seenAt, doneAt] = await Promise.all([
      what.waitFor({ timeout: 20_000 }).then(() => performance.now()),
      act().then(() => performance.now()),
    ]);
    const waited = Math.max(0, Math.round(seenAt - doneAt));
    test.info().annotations.push({ type: 'seen elsewhere', description: `${what.toString()} after ${waited} ms` });
    expect(waited, `milliseconds until the other browser showed ${what.toString()}`).toBeLessThan(limit());
    expect(this.loads, 'the other browser loaded the page anew').toBe(loadsBefore);
  }
}
