import type { Guest } from '../api.ts';
import { expect } from '../test.ts';
import type { Shift } from './begin.ts';

/** Answers in Today that the person from the waitlist has come; the row of somebody else has the focus then, not its button. */
export async function markArrived({ page, today, hands }: Shift): Promise<void> {
  const name = `${hands.waiting} K\\.`;
  await hands.open(page, 'Today');
  const arrived = page.getByRole('button', { name: new RegExp(`^Arrived: ${name}`) });
  await today.answer(() => hands.press(arrived));
  await expect(page.getByRole('status').filter({ hasText: new RegExp(`${name}.* has arrived`) })).toBeVisible();
  await expect(arrived).toHaveCount(0);
  const next = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Arrived: / }) });
  await expect(next.and(page.locator(':focus'))).toBeVisible();
}

/** Answers in Today that a guest does not come. */
export async function markNoShow({ page, today, hands, api, site }: Shift, guest: Guest): Promise<void> {
  const noShow = page.getByRole('button', { name: `No show: ${guest.displayName}` });
  await hands.press(noShow);
  await today.answer(() => hands.press(page.getByRole('dialog').getByRole('button', { name: 'No show' })));
  await expect(noShow).toHaveCount(0);
  expect((await api.guest(guest.id)).bed).toBeNull();
  const { counts } = await api.site(site.id);
  expect([counts.vacant, counts.available]).toEqual([1, 1]);
  const free = page.getByRole('list', { name: 'Free now' }).getByRole('listitem').filter({ hasText: site.name });
  await expect(free).toContainText('1 available');
}
