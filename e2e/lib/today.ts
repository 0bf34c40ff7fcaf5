import { expect, type Locator, type Page } from '@playwright/test';
import type { Guest } from './api.ts';
import { isGuestChange } from './board.ts';
import type { Way } from './ways.ts';

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

  /** How the first bed is called that is not chosen. */
  async otherBed(guest: Guest): Promise<string> {
    const other = this.chooser(guest).getByRole('radio', { checked: false }).first();
    return (await other.getAttribute('aria-label')) ?? '';
  }

  bed(guest: Guest, name: string): Locator {
    return this.chooser(guest).getByRole('radio', { name, exact: true });
  }

  /** What people press around the radio button of a bed. */
  tile(guest: Guest, name: string): Locator {
    const choice = this.page.getByRole('radio', { name, exact: true });
    return this.chooser(guest).locator('label').filter({ has: choice });
  }

  confirm(guest: Guest): Locator {
    return this.chooser(guest).getByRole('button', { name: 'Accept into this bed' });
  }

  /** Accepts a reservation into the bed that is proposed, by what opens the beds and what confirms; returns how the bed is called. */
  async acceptBy(guest: Guest, open: () => Promise<void>, confirm: () => Promise<void>): Promise<string> {
    await open();
    const bed = await this.proposed(guest);
    // The button is under the thumb at once.
    await expect(this.confirm(guest)).toBeInViewport({ ratio: 1 });
    await this.answer(confirm);
    // The site asks whether accepted guests have come.
    await this.expectDecided(guest, 'is reserved for');
    return bed;
  }

  /** Answers the question before a decline, which is open. */
  async answerDecline(guest: Guest, way: Way, feedback: string): Promise<void> {
    const question = this.question(guest);
    await expect(question).toBeVisible();
    if (feedback !== '') await way.type(question.getByLabel('Feedback'), feedback);
    await this.answer(() => way.press(question.getByRole('button', { name: 'Decline' })));
    await this.expectDecided(guest, 'was declined');
  }

  /** A message of the screen about a guest. */
  told({ firstName }: Guest, words: string): Locator {
    return this.page.getByRole('status').filter({ hasText: firstName }).filter({ hasText: words });
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
