import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { focusScreen } from '@/components/dialog/return-focus';
import { useHeldRows } from '@/components/use-held-rows';
import { neighborOf } from '@/lib/neighbor';
import { keepOpen } from '../waitlist.utils';

interface SteadyRows<Row> {
  /** The rows to show. */
  rows: readonly Row[];
  list: RefObject<HTMLOListElement | null>;
  /** Props of the list. */
  listProps: {
    onFocus: (event: FocusEvent<HTMLElement>) => void;
    onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
}

/**
 * Keeps a press and the focus with the row that they are meant for. A row stays while the outcome of its change is open, and one
 * that has moved cannot be pressed for a moment (`useHeldRows`). The focus of a row that goes is given to the next row, and
 * that of a button that goes to its row; never to a button, which the next key would press. Each row is an element with
 * `data-waiting` and a tab index of -1.
 */
export function useSteadyRows<Row extends { id: string }>(
  loaded: readonly Row[],
  isOpen: (id: string) => boolean,
): SteadyRows<Row> {
  const list = useHeldRows<HTMLOListElement>();
  const [shown, setShown] = useState(loaded);
  const rows = keepOpen(shown, loaded, isOpen);
  if (rows.length !== shown.length || rows.some((row, index) => row !== shown[index])) setShown(rows);

  const before = useRef<readonly string[]>([]);
  /** The row that has the focus. */
  const focused = useRef<string | null>(null);
  useLayoutEffect(() => {
    const now = rows.map(({ id }) => id);
    const old = before.current;
    before.current = now;
    const id = focused.current;
    if (id === null || document.activeElement !== document.body) return;
    const next = now.includes(id) ? id : neighborOf(id, old, now);
    focused.current = null;
    const row = [...(list.current?.children ?? [])].find(
      (child) => child instanceof HTMLElement && child.dataset.waiting === next,
    );
    if (row instanceof HTMLElement) row.focus();
    else focusScreen();
  });

  return {
    rows,
    list,
    listProps: {
      onFocus: ({ target }) => {
        focused.current = target.closest<HTMLElement>('[data-waiting]')?.dataset.waiting ?? null;
      },
      onBlur: ({ target }) => {
        // A window that loses the focus keeps its active element.
        if (document.activeElement !== target) focused.current = null;
      },
    },
  };
}
