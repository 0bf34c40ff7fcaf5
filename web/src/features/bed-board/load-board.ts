import { loadTexts } from '@/i18n/i18n';

/** The code of the bed board, which only those who open it load. */
export const loadBoard = () => import('./components/move-guests-board');

/** Begins to load the board while the site itself is still on its way, where the address asks for it. */
export function expectBoard({ search }: { search: object }): void {
  if (!('open' in search) || search.open !== 'board') return;
  // Where it cannot be loaded, the screen that wants it says so.
  Promise.all([loadBoard(), loadTexts('board')]).catch(() => undefined);
}
