import { loadTexts } from '@/i18n/i18n';

/** The code and the words of the bed board, which only those who open it load. */
export async function loadBoard() {
  const [module] = await Promise.all([import('@/features/bed-board/components/move-guests-board'), loadTexts('board')]);
  return { default: module.MoveGuestsBoard };
}

/** Begins to load the board while the site itself is still on its way, where the address asks for it. */
export function expectBoard({ search }: { search: object }): void {
  if (!('open' in search) || search.open !== 'board') return;
  // Where it cannot be loaded, the screen that wants it says so.
  loadBoard().catch(() => undefined);
}
