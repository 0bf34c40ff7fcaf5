import { afterEach, beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { clearPreference, readPreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { BoardView } from './board-view';

beforeEach(() => page.viewport(1360, 900));
afterEach(() => clearPreference('compactBeds'));

const intake = currentUser({ role_intake_site_ids: 's1' });
const never = () => undefined;

function open(houses: number) {
  const rooms = Array.from({ length: houses }, (_, house) => {
    const beds = Array.from({ length: 12 }, (_bed, index) =>
      bed(`${house}-${index}`, {
        guest: index === 0 ? guestShort(`g${house}`, { displayName: `Guest ${house}` }) : null,
      }),
    );
    return room(String(house), beds, { name: `House #${house + 1}` });
  });
  const waiting = [guest('anna', { displayName: 'Anna K. ANNA' })];
  return renderView(<BoardView site={siteDetails(rooms)} guests={waiting} canMove onOwnEscape={never} />, {
    user: intake,
  });
}

it('the board leads to a house by name, also while a guest is moved', async () => {
  const screen = await open(6);
  await screen.getByRole('button', { name: 'Move Anna K. ANNA' }).click();
  await screen.getByRole('button', { name: 'Go to house' }).click();
  await screen.getByRole('menuitem', { name: 'House #5 11 of 12 vacant' }).click();
  await expect.element(screen.getByRole('heading', { name: 'House #5' })).toHaveFocus();
  // The guest is still being moved.
  await expect.element(screen.getByText('Moving Anna K. ANNA', { exact: true })).toBeVisible();
});

it('small beds of the board are chosen by arrow keys, row by row, and are remembered with those of the houses', async () => {
  const screen = await open(4);
  await screen.getByRole('switch', { name: 'Compact' }).click();
  expect(readPreference('compactBeds')).toBe('yes');
  await screen.getByRole('button', { name: 'Move Anna K. ANNA' }).click();
  const stop = () => document.activeElement?.getAttribute('data-choice');
  await expect.poll(stop).toBe('0-1');
  const columns = getComputedStyle(document.activeElement?.closest('ul') as Element).gridTemplateColumns.split(' ');
  await userEvent.keyboard('{ArrowDown}');
  expect(stop()).toBe(`0-${1 + columns.length}`);
  await expectNoViolations();
});

it('a board of few houses has no such tools', async () => {
  const screen = await open(3);
  await expect.element(screen.getByRole('heading', { name: 'House #3' })).toBeVisible();
  expect(screen.getByRole('switch', { name: 'Compact' }).elements()).toHaveLength(0);
});

it('the handle of a bed scrolls by under the head of its house', async () => {
  const screen = await open(6);
  const handle = screen.getByRole('button', { name: 'Move Guest 1' }).element();
  const head = screen.getByRole('heading', { name: 'House #2' }).element();
  const middleOf = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  handle.scrollIntoView({ block: 'center' });
  const before = middleOf(handle);
  expect(handle.contains(document.elementFromPoint(before.x, before.y))).toBe(true);
  // The head stays below that of the board while the bed goes on.
  handle.scrollIntoView({ block: 'start' });
  window.scrollBy(0, middleOf(handle).y - 76);
  await expect.poll(() => Math.abs(middleOf(head).y - middleOf(handle).y)).toBeLessThan(16);
  const { x, y } = middleOf(handle);
  expect(document.elementFromPoint(x, y)?.closest('button')).not.toBe(handle);
});

it.each([1360, 390])(
  'the badge of each bed stands in its card where another of its row is taller, at %s px',
  async (width) => {
    await page.viewport(width, 900);
    const staying = (id: string, expectedDeparture: string | null, displayName = `Guest ${id}`) =>
      bed(id, { guest: guestShort(id, { expectedDeparture, displayName }) });
    const beds = [
      // Small beds leave out the day, and show the name in two lines.
      staying('a', '2026-12-12', 'Maximiliana-Alexandra V. A'),
      staying('b', null),
      bed('c'),
      bed('d', { disabled: true, disabledReason: 'Water damage in the bathroom', expectedBack: '2026-12-01' }),
    ];
    const houses = ['1', '2', '3', '4'].map((id) =>
      room(
        id,
        beds.map((one) => ({ ...one, id: `${one.id}${id}` })),
      ),
    );
    const screen = await renderView(<BoardView site={siteDetails(houses)} guests={[]} canMove onOwnEscape={never} />, {
      user: intake,
    });
    if (width === 390) await screen.getByRole('switch', { name: 'Compact' }).click();
    await screen.getByRole('button', { name: 'Move Guest b' }).first().click();
    const choices = [...document.querySelectorAll('[data-choice]')];
    expect(choices).toHaveLength(12);
    for (const choice of choices) {
      const card = choice.closest('li')?.querySelector('[data-state]')?.getBoundingClientRect();
      const badge = choice.firstElementChild?.getBoundingClientRect();
      expect(badge?.bottom).toBeLessThan(card?.bottom ?? 0);
      expect(badge?.right).toBeLessThan(card?.right ?? 0);
    }
  },
);
