import { type RefObject, useLayoutEffect, useRef } from 'react';
import { ignoreSecondTap } from './form/focus-first-invalid';

/** How long what has moved under a hand cannot be pressed, in milliseconds: a hand that began to press does not stop sooner. */
export const MOVED_MILLISECONDS = 700;
/** Distance in CSS pixels from which on a row lies under another place. */
const MOVED_PIXELS = 8;

/**
 * Keeps a press from a row that has just come under the mouse or the finger, because others have changed the lists: it was
 * meant for the row before, and a button that acts at once would act for another guest. Rows are the entries of lists with
 * `steadyPress` in the returned root; they are looked at whenever the component that calls this is drawn.
 * A list that `replaces` other buttons is held when it appears, too.
 */
export function useHeldRows<Root extends HTMLElement>({ replaces = false } = {}): RefObject<Root | null> {
  const root = useRef<Root>(null);
  const before = useRef<ReadonlyMap<Element, number> | null>(null);
  useLayoutEffect(() => {
    if (!root.current) return;
    const { top } = root.current.getBoundingClientRect();
    const rows = [...root.current.querySelectorAll<HTMLElement>('[data-steady] > li')];
    const now = new Map(rows.map((row) => [row, row.getBoundingClientRect().top - top]));
    for (const [row, place] of now) {
      const old = before.current?.get(row) ?? Infinity;
      if ((before.current || replaces) && Math.abs(place - old) >= MOVED_PIXELS)
        ignoreSecondTap(row, MOVED_MILLISECONDS);
    }
    before.current = now;
  });
  return root;
}
