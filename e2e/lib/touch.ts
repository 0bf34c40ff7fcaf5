import type { CDPSession, Locator, Page } from '@playwright/test';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger: real touch events of the browser, not synthetic ones of the page. */
export class Finger {
  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async on(page: Page): Promise<Finger> {
    return new Finger(page, await page.context().newCDPSession(page));
  }

  /**
   * Rests on one element until `isLifted` holds (the page has taken the guest up), goes to the other and lets go.
   */
  async drag(from: Locator, to: Locator, isLifted: () => Promise<void>): Promise<void> {
    const start = await middle(from);
    await this.send('touchStart', [start]);
    await isLifted();
    // The page may have scrolled or laid itself out anew: where is the goal now?
    const end = await middle(to);
    const steps = 8;
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      await this.send('touchMove', [{ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }]);
      await this.nextFrame();
    }
    await this.send('touchEnd', []);
  }

  private async send(type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]): Promise<void> {
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints });
  }

  /** The page has drawn: its sensors have seen the last event. */
  private async nextFrame(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((drawn) => {
          requestAnimationFrame(() => drawn());
        }),
    );
  }
}

async function middle(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  if (!box) throw new Error('What should be touched cannot be seen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
