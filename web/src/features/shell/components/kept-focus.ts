import { useEffect } from 'react';
import { menuButtonOf } from '@/components/dialog/opener';
import { focusScreen, nextRow } from '@/components/dialog/return-focus';

/** Where others change what is shown. */
const SCREEN = 'main, [role="dialog"], .mantine-Notification-root';

/** Rows that lists of their own look after. */
const LOOKED_AFTER = '[data-row], [data-waiting]';

/** What keeps the focus when it is pressed. A dialog keeps it in any case: its keys work nowhere else. */
const KEEPS_FOCUS = 'input, select, textarea, [role="dialog"] *';

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

/** The rows around each control that has had the focus. */
const spotsAround = new WeakMap<Element, readonly Spot[]>();

/** What to go on with when a control is gone: its row if that is still there, else the next one. */
function goOnFrom(gone: Element): HTMLElement | undefined {
  const left = spotsAround.get(gone)?.find(({ list }) => list.isConnected);
  const next = left && (left.row.isConnected ? left.row : nextOf(left));
  if (!(next instanceof HTMLElement)) return undefined;
  if (next.tabIndex < 0) next.tabIndex = -1;
  return next;
}

/**
 * Gives the focus to the next row of a list, else to the screen, when somebody else's change takes away what has it, or when a
 * message ends. Never to another button, which the next key would press for another guest. Whoever else looks after the focus
 * comes first (docs/decisions/0075).
 */
export function KeptFocus(): null {
  useEffect(() => {
    let focused: HTMLElement | null = null;
    /** The button whose menu has the focus. */
    let menuButton: Element | null = null;
    let path = '';
    const forget = () => {
      focused = null;
    };
    const note = (target: EventTarget | null) => {
      forget();
      if (!(target instanceof HTMLElement)) return;
      menuButton = document.getElementById(menuButtonOf(target) ?? '');
      const place = menuButton ?? target;
      if (!place.closest(SCREEN)) return;
      focused = target;
      path = location.pathname;
      spotsAround.set(focused, spotsOf(place));
    };
    const noteFocus = ({ target }: Event) => note(target);
    const noteClick = ({ target }: Event) => {
      const { activeElement } = document;
      if (activeElement?.matches(KEEPS_FOCUS)) note(activeElement);
      // Who presses a button that stands alone knows why it goes, and the next Tab goes on from there.
      else if (focused && target instanceof Node && focused.contains(target)) {
        if (menuButton || spotsAround.get(focused)?.length === 0) forget();
      }
    };
    const restore = () => {
      if (!focused || focused.isConnected) return;
      const gone = focused;
      forget();
      // A menu that is closed gives the focus back to its button by itself.
      if (menuButton?.isConnected) return;
      if (document.activeElement !== document.body || location.pathname !== path) return;
      const row = spotsAround.get(gone)?.[0]?.row;
      if (row && !row.isConnected && row.matches(LOOKED_AFTER)) return;
      const moved = redrawn(gone);
      if (moved) moved.focus({ preventScroll: true });
      else focusScreen(gone);
    };
    const observer = new MutationObserver(() => queueMicrotask(restore));
    nextRow.of = goOnFrom;
    document.addEventListener('focusin', noteFocus);
    // A press on nothing takes the focus away because the user wants it.
    document.addEventListener('pointerdown', forget, { capture: true });
    document.addEventListener('click', noteClick, { capture: true });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      delete nextRow.of;
      document.removeEventListener('focusin', noteFocus);
      document.removeEventListener('pointerdown', forget, { capture: true });
      document.removeEventListener('click', noteClick, { capture: true });
      observer.disconnect();
    };
  }, []);
  return null;
}
