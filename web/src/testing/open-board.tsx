import { expect } from 'vitest';
import { userEvent } from 'vitest/browser';
import { MoveGuestsBoard } from '@/features/bed-board/components/move-guests-board';
import { KeptFocus } from '@/features/shell/components/kept-focus';
import { currentUser } from './builders';
import { renderView } from './render';

const intake = currentUser({ role_intake_site_ids: 's1' });

/** The board of `serveBoard`. */
export async function openBoard(user = intake) {
  let closed = 0;
  const view = (
    <>
      <KeptFocus />
      <MoveGuestsBoard subject="s1" onClose={() => (closed += 1)} />
    </>
  );
  const screen = await renderView(view, { user });
  await expect.element(screen.getByRole('heading', { name: 'House 1' })).toBeVisible();
  const press = (name: string) => screen.getByRole('button', { name, exact: true });
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
  const said = () => document.querySelector('[role="dialog"] p[role="status"]')?.textContent;
  const refresh = () => screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
  return { screen, press, focused, said, refresh, closings: () => closed };
}

/** Starts Move mode for Ana by the keyboard. */
export async function startAna(board: Awaited<ReturnType<typeof openBoard>>) {
  (board.press('Move Ana A1').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(board.focused).toBe('Bed a, House 1, current bed');
  // The next Enter is a press of its own, not the other half of this one.
  await userEvent.keyboard('{Shift}');
}
