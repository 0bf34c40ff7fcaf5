import { useEffect } from 'react';
import { focusScreen } from '@/components/dialog/return-focus';

/** Where others change what is shown. */
const SCREEN = 'main, [role="dialog"], .mantine-Notification-root';

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

/** The same button where it is drawn by now: a guest's *Move* button goes to the new bed with the guest. */
function redrawn({ dataset: { handle } }: HTMLElement): HTMLElement | null {
  return handle === undefined ? null : document.querySelector<HTMLElement>(`[data-handle="${handle}"]`);
}

/**
 * Gives the focus to the next row of a list, else to the screen, when somebody else's change takes away what has it, or when a
 * message ends. Never to another button, which the next key would press for another guest. Whoever else looks after the focus
 * comes first (docs/decisions/0075).
 */
export function KeptFocus(): null {
  useEffect(() => {
    let focused: HTMLElement | null = null;
    let spots: readonly Spot[] = [];
    let path = '';
    const forget = () => {
      focused = null;
    };
    const note = ({ target }: Event) => {
      focused = target instanceof HTMLElement && target.closest(SCREEN) ? target : null;
      spots = focused ? spotsOf(focused) : [];
      path = location.pathname;
    };
    // Who presses a button that stands alone knows why it goes, and the next Tab goes on from there.
    const noteClick = ({ target }: Event) => {
      if (spots.length === 0 && target instanceof Node && focused?.contains(target)) forget();
    };
    const restore = () => {
      if (!focused || focused.isConnected) return;
      const gone = focused;
      forget();
      if (document.activeElement !== document.body || location.pathname !== path) return;
      const row = spots[0]?.row;
      if (row && !row.isConnected && row.matches(LOOKED_AFTER)) return;
      const left = spots.find(({ list }) => list.isConnected);
      const next = redrawn(gone) ?? (left && (left.row.isConnected ? left.row : nextOf(left)));
      if (!(next instanceof HTMLElement)) {
        focusScreen();
        return;
      }
      if (next.tabIndex < 0) next.tabIndex = -1;
      next.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => queueMicrotask(restore));
    document.addEventListener('focusin', note);
    // A press on nothing takes the focus away because the user wants it.
    document.addEventListener('pointerdown', forget, { capture: true });
    document.addEventListener('click', noteClick, { capture: true });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', forget, { capture: true });
      document.removeEventListener('click', noteClick, { capture: true });
      observer.disconnect();
    };
  }, []);
  return null;
}
