import { type Locator, type Page, type Response } from '@playwright/test';
import { expect } from './test.ts';
import type { Place } from './api.ts';

/** A house as the board shows it. */
export interface ShownHouse {
  readonly name: string;
  /** How many of its beds are vacant, in words. */
  readonly count: string;
  readonly beds: readonly ShownBed[];
}

/** A bed as the board shows it. */
export interface ShownBed {
  readonly bed: string;
  readonly type: string;
  readonly state: string;
  /** Of an occupied bed the guest and the days, of a disabled one why and until when. */
  readonly more: readonly string[];
}

/** The bed board of a site on one page: what a person finds there, by its names. */
export class Board {
  readonly dialog: Locator;
  readonly waiting: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Move Guests' }).first();
    this.waiting = this.dialog.getByRole('region', { name: /^Waiting for a bed/ });
  }

  /** Opens the board by its address. */
  async open(siteId: string): Promise<void> {
    await this.page.goto(`/reservations/${siteId}?tab=guests&open=board`);
    // The whole application comes first; on a crowded machine that alone takes seconds.
    await expect(this.dialog.getByRole('listitem').first()).toBeVisible({ timeout: 30_000 });
  }

  /** The place of a bed on the board. */
  bed({ bed, house }: Place): Locator {
    const name = this.page.getByText(bed.name, { exact: true });
    return this.dialog.getByRole('region', { name: house, exact: true }).getByRole('listitem').filter({ has: name });
  }

  /** A guest's name in a bed. */
  guestIn(place: Place, guest: string): Locator {
    return this.bed(place).getByText(guest, { exact: true });
  }

  /** Moves what is in a bed onto another bed by the mouse; the question about it is then open. */
  async drag(guest: Locator, goal: Place): Promise<void> {
    await guest.hover();
    await this.page.mouse.down();
    // The first movement lifts the card, the second one is over the goal.
    await this.bed(goal).hover();
    await this.bed(goal).hover();
    await this.page.mouse.up();
  }

  /** Every bed as the board shows it, house by house. */
  async houses(): Promise<ShownHouse[]> {
    return this.dialog.getByRole('region').evaluateAll((regions) =>
      regions
        .filter((region) => region.querySelector('[data-state]'))
        .map((region) => {
          const [name = '', count = ''] = Array.from(region.querySelectorAll('header > *'), (part) => part.textContent);
          const beds = Array.from(region.querySelectorAll('[data-state]'), (tile) => {
            // Name, then type and state, then what else there is: why it is disabled, or who is in it and for how long.
            const lines = Array.from(tile.children, (line) => Array.from(line.children, (part) => part.textContent));
            const [[bed = ''] = [], [type = '', state = ''] = [], more = []] = lines;
            return { bed, type, state, more: more.filter((text) => text !== '') };
          });
          return { name, count, beds };
        }),
    );
  }

  /** Answers the question that stands in front of the board and waits for the server's answer. */
  async confirm(label: 'Assign' | 'Swap', press: (button: Locator) => Promise<void>): Promise<void> {
    // Exactly this name: until the question opens, the board itself is the last dialog, with its "Assign to …".
    const question = this.page.getByRole('dialog', { name: 'Move Guests' }).last();
    const button = question.getByRole('button', { name: label, exact: true });
    await expect(button).toBeVisible();
    const answer = this.page.waitForResponse(isGuestChange);
    await press(button);
    expect((await answer).status()).toBe(200);
  }
}

export function isGuestChange(response: Response): boolean {
  return response.request().method() === 'PATCH' && /\/api\/guests\//i.test(response.url());
}
