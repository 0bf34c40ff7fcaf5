import { type RefObject, useLayoutEffect } from 'react';

/** A point of the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** So much of the window stays free around the dialog, in pixels. */
const EDGE = 8;

const clamp = (value: number, most: number) => Math.max(EDGE, Math.min(value, most));

/**
 * Lays a dialog so that one of its buttons is where the finger is; without a point it stays where dialogs stand. The button
 * has to be as wide as the dialog. Where the dialog would reach over the upper edge, `data-answer-first` on its parent tells
 * the style sheet to put the button above the question.
 */
export function usePlaceAt(target: RefObject<HTMLElement | null>, at: Point | null): void {
  useLayoutEffect(() => {
    const button = target.current;
    const dialog = button?.closest<HTMLElement>('[role="dialog"]');
    if (!at || !button || !dialog) return;
    const around = button.parentElement;
    // The dialog may be drawn smaller while it opens: the distance is that of the layout.
    const middle = () => {
      const [inner, outer] = [button.getBoundingClientRect(), dialog.getBoundingClientRect()];
      const scale = outer.width / dialog.offsetWidth || 1;
      return {
        x: (inner.left + inner.width / 2 - outer.left) / scale,
        y: (inner.top + inner.height / 2 - outer.top) / scale,
      };
    };
    around?.toggleAttribute('data-answer-first', at.y - middle().y < EDGE);
    const { x, y } = middle();
    const left = clamp(at.x - x, window.innerWidth - dialog.offsetWidth - EDGE);
    const top = clamp(at.y - y, window.innerHeight - dialog.offsetHeight - EDGE);
    // A property of its own: the opening of the dialog has `transform`.
    dialog.style.translate = `${left - dialog.offsetLeft}px ${top - dialog.offsetTop}px`;
  }, [target, at]);
}
