import { useEffect } from 'react';
import { focusScreen } from '@/components/dialog/return-focus';

/** Rows that lists of their own look after. */
const LOOKED_AFTER = '[data-row], [data-waiting]';

/** A row around what has the focus, and its list with the rows as they were. */
interface Spot {
  row: HTMLElement;
  list: Element;
  rows: readonly Element[];
}

function spotsOf(element: Element): Spot[] {
  const row = element.closest<HTMLElement>('main :is(li, tr)');
  const list = row?.parentElement;
  if (!row || !list) return [];
  return [{ row, list, rows: [...list.children] }, ...spotsOf(list)];
}

/** The row to go on with: the next that is still there, else the one before. */
function nextOf({ row, list, rows }: Spot): Element | undefined {
  const place = rows.indexOf(row);
  const isThere = (other: Element) => other.parentElement === list;
  return rows.slice(place + 1).find(isThere) ?? rows.slice(0, place).findLast(isThere);
}

/**
 * Looks after the focus when somebody else's change takes the row away that has it: the next row gets it, or the screen when
 * none is left. Never a button, which the next key would press for another guest. Whoever else looks after it comes first.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let spots: readonly Spot[] = [];
    let focused: Element | null = null;
    let path = '';
    const note = ({ target }: Event) => {
      focused = target instanceof Element ? target : null;
      spots = focused && !focused.closest('[role="dialog"]') ? spotsOf(focused) : [];
      path = location.pathname;
    };
    // A press on nothing takes the focus away because the user wants it.
    const forget = () => {
      spots = [];
    };
    const restore = () => {
      const [innermost] = spots;
      if (!innermost || focused?.isConnected) return;
      const left = spots.find(({ list }) => list.isConnected);
      forget();
      if (document.activeElement !== document.body || location.pathname !== path) return;
      if (innermost.row.matches(LOOKED_AFTER)) return;
      const next = left && (left.row.isConnected ? left.row : nextOf(left));
      if (!(next instanceof HTMLElement)) {
        focusScreen();
        return;
      }
      if (!next.hasAttribute('tabindex')) next.tabIndex = -1;
      next.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => queueMicrotask(restore));
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', forget, { capture: true });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', forget, { capture: true });
      observer.disconnect();
    };
  }, []);
}
