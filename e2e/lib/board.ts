import { type Locator, type Page, type Response } from '@playwright/test';
import { expect } from './test.ts';
import type { Place } from './api.ts';

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
