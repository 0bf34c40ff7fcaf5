import type { Guest } from '../api.ts';
import { expect } from '../test.ts';
import type { Shift } from './begin.ts';

/** Finds a guest by the last four digits of the phone, and opens the page of the guest. */
export async function findByPhone({ page, hands }: Shift, guest: Guest): Promise<void> {
  const digits = (guest.phone ?? '').slice(-4);
  expect(digits).toMatch(/^\d{4}$/);
  await hands.find(page, guest, digits);
  await expect(page).toHaveURL(new RegExp(`/reservations/guest/${guest.siteId}/${guest.id}$`));
  await expect(page.getByRole('heading', { name: `${guest.firstName} Q.` })).toBeVisible();
}
