import { useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { serveBoard } from '@/testing/board-world';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { SiteReservationsPage } from './site-reservations-page';

const intake = currentUser({ role_intake_site_ids: 's1' });

function GuestsPage() {
  const { open } = useLocation().search as { open?: 'board' };
  const search = { page: 0, direction: 'asc', tab: 'guests', open } as const;
  return (
    <Suspense>
      <SiteReservationsPage siteId="s1" search={search} />
    </Suspense>
  );
}

async function openGuests(path: string, user = intake) {
  serveBoard();
  const screen = await renderView(<GuestsPage />, { user, path });
  const board = screen.getByRole('dialog', { name: /^Move Guests/ });
  return { screen, board, table: () => document.querySelector('[role=region] table') };
}

it('opens a board from its address before the guests that it covers, which are there once it is closed', async () => {
  const { screen, board, table } = await openGuests('/?open=board');
  await expect.element(board.getByRole('heading', { name: 'House 2' })).toBeVisible();
  expect(table()?.checkVisibility() ?? false).toBe(false);
  await screen.getByRole('button', { name: 'Close the board' }).click();
  await expect.element(board).not.toBeInTheDocument();
  await expect.poll(() => table()?.checkVisibility()).toBe(true);
  await expect.element(screen.getByRole('link', { name: 'Ana A1' })).toBeVisible();
});

it('leaves guests that were seen where they are below a board that is opened from them', async () => {
  const { screen, board, table } = await openGuests('/');
  await expect.element(screen.getByRole('link', { name: 'Ana A1' })).toBeVisible();
  const before = table();
  await screen.getByRole('button', { name: 'Move Guests' }).click();
  await expect.element(board.getByRole('heading', { name: 'House 2' })).toBeVisible();
  expect(table()).toBe(before);
  expect(before?.checkVisibility()).toBe(true);
});

it('shows the guests to whoever may not move them, also where the address asks for the board', async () => {
  const { screen, board, table } = await openGuests('/?open=board', currentUser({ role_staff_site_ids: 's1' }));
  await expect.element(screen.getByRole('link', { name: 'Ana A1' })).toBeVisible();
  expect(table()?.checkVisibility()).toBe(true);
  await expect.element(board).not.toBeInTheDocument();
});
