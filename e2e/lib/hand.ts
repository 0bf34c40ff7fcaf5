import type { Locator, Page } from '@playwright/test';

/** What a task took. */
export interface Effort {
  clicks: number;
  drags: number;
  keys: number;
  /** From the first screen of the task, ready to be used, to its outcome on the screen. */
  seconds: number;
}

/** The hand of a person: does what a person does, and counts it. */
export class Hand {
  #clicks = 0;
  #drags = 0;
  #keys = 0;
  #begunAt = 0;

  constructor(readonly page: Page) {}

  /** Counts from here on. */
  begin(): void {
    this.#clicks = this.#drags = this.#keys = 0;
    this.#begunAt = performance.now();
  }

  async click(target: Locator): Promise<void> {
    this.#clicks += 1;
    await target.click();
  }

  /** Chooses from a closed list: a click opens it, another one chooses. */
  async choose(target: Locator, option: string | { index: number }): Promise<void> {
    this.#clicks += 2;
    await target.selectOption(option);
  }

  /** A key, or several that are held together, which count as one. */
  async press(key: string): Promise<void> {
    this.#keys += 1;
    await this.page.keyboard.press(key);
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    this.#keys += text.length;
    await this.page.keyboard.type(text);
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    this.#drags += 1;
    await from.hover();
    await this.page.mouse.down();
    // The first movement lifts what is dragged, the second one is over the goal.
    await to.hover();
    await to.hover();
    await this.page.mouse.up();
  }

  /** What it took since `begin`. */
  effort(): Effort {
    const seconds = (performance.now() - this.#begunAt) / 1000;
    return { clicks: this.#clicks, drags: this.#drags, keys: this.#keys, seconds };
  }
}
