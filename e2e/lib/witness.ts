import { expect, type Locator, type Page } from '@playwright/test';

/** Someone else at the same board, who must see each change within a second and without a reload. */
export class Witness {
  private loads = 0;

  constructor(readonly page: Page) {
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.loads += 1;
    });
  }

  /** Does something elsewhere; what should appear here must do so at most a second after it is done. */
  async sees(what: Locator, done: () => Promise<void>): Promise<void> {
    const loadsBefore = this.loads;
    await expect(what).toBeHidden();
    const seen = what.waitFor({ timeout: 20_000 }).then(() => performance.now());
    await Promise.all([seen, done().then(() => performance.now())]).then(([seenAt, doneAt]) => {
      expect(seenAt - doneAt, `milliseconds until the other browser showed ${what.toString()}`).toBeLessThan(1000);
    });
    expect(this.loads, 'the other browser loaded the page anew').toBe(loadsBefore);
  }
}
