import { expect, type Locator, type Page } from '@playwright/test';
import type { Guest } from './api.ts';
import { isGuestChange } from './board.ts';
import type { Press } from './sign-in.ts';

/** Today on one page: what a person finds there, by its names. */
export class Today {
  readonly waiting: Locator;
  readonly moves: Locator;
  /** Where the page has been since, in order. */
  readonly visited: string[] = [];

  constructor(readonly page: Page) {
    this.waiting = page.getByRole('list', { name: /^Needs a decision/ });
    this.moves = page.getByRole('list', { name: "Today's moves" });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.visited.push(new URL(frame.url()).pathname);
    });
  }

  async open(): Promise<void> {
    await this.page.goto('/today');
    await expect(this.page.getByRole('heading', { name: /^Needs a decision/ })).toBeVisible();
  }

  /** The row of a reservation that waits. */
  row({ code }: Guest): Locator {
    return this.waiting.getByRole('listitem').filter({ hasText: code });
  }

  accept({ displayName }: Guest): Locator {
    return this.waiting.getByRole('button', { name: `Accept ${displayName}` });
  }

  /** The beds for a reservation, above the list. */
  chooser({ firstName }: Guest): Locator {
    return this.page.getByRole('dialog', { name: `Accept ${firstName}` });
  }

  /** The question before a reservation is declined. */
  question({ firstName }: Guest): Locator {
    return this.page.getByRole('dialog', { name: `Decline the reservation for ${firstName}` });
  }

  /** The bed that the chooser proposes, as its radio button is called. */
  async proposed(guest: Guest): Promise<string> {
    const choice = this.chooser(guest).getByRole('radio', { checked: true });
    await expect(choice).toHaveCount(1);
    return (await choice.getAttribute('aria-label')) ?? '';
  }

  /** Accepts a reservation into the bed that is proposed; returns how the bed is called. */
  async acceptProposed(guest: Guest, press: Press): Promise<string> {
    await press(this.accept(guest));
    const bed = await this.proposed(guest);
    await this.answer(() => press(this.chooser(guest).getByRole('button', { name: 'Accept into this bed' })));
    await this.expectDecided(guest, 'is now in');
    return bed;
  }

  async decline(guest: Guest, press: Press, feedback = ''): Promise<void> {
    await press(this.waiting.getByRole('button', { name: `Decline ${guest.displayName}` }));
    if (feedback !== '') await this.question(guest).getByLabel('Feedback').pressSequentially(feedback);
    await this.answer(() => press(this.question(guest).getByRole('button', { name: 'Decline' })));
    await this.expectDecided(guest, 'was declined');
  }

  /** A message of the screen about a guest. */
  told({ firstName }: Guest, words: string): Locator {
    return this.page.getByRole('status').filter({ hasText: new RegExp(`${firstName}.*${words}`) });
  }

  /** The row is gone, a message says so, and Today is still there. */
  async expectDecided(guest: Guest, words: string): Promise<void> {
    await expect(this.told(guest, words)).toBeVisible();
    await expect(this.page.getByRole('dialog')).toHaveCount(0);
    await expect(this.row(guest)).toHaveCount(0);
  }

  /** Does what sends a command about a guest, which must succeed. */
  async answer(act: () => Promise<void>): Promise<void> {
    const sent = this.page.waitForResponse(isGuestChange);
    await act();
    expect((await sent).status()).toBe(200);
  }
}
