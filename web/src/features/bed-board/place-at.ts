/** A point of the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** So much of the window stays free around the dialog, in pixels. */
const EDGE = 8;

const clamp = (value: number, most: number) => Math.max(EDGE, Math.min(value, most));

/**
 * Lays a question so that its confirming button is where the finger is: both buttons become as wide as the dialog, below one
 * another, and stand above the question where the dialog would reach over the upper edge.
 */
export function placeAt(confirm: HTMLElement, at: Point): void {
  const dialog = confirm.closest<HTMLElement>('[role="dialog"]');
  const answers = confirm.parentElement;
  if (!dialog || !answers) return;
  Object.assign(answers.style, { flexDirection: 'column', alignItems: 'stretch' });
  // The dialog may be drawn smaller while it opens: the distance is that of the layout.
  const middle = () => {
    const [inner, outer] = [confirm.getBoundingClientRect(), dialog.getBoundingClientRect()];
    const scale = outer.width / dialog.offsetWidth || 1;
    return {
      x: (inner.left + inner.width / 2 - outer.left) / scale,
      y: (inner.top + inner.height / 2 - outer.top) / scale,
    };
  };
  if (at.y - middle().y < EDGE) Object.assign(answers.style, { flexDirection: 'column-reverse', order: '-1' });
  const { x, y } = middle();
  const left = clamp(at.x - x, window.innerWidth - dialog.offsetWidth - EDGE);
  const top = clamp(at.y - y, window.innerHeight - dialog.offsetHeight - EDGE);
  // Not `transform`, which the opening animation of the dialog sets.
  dialog.style.translate = `${left - dialog.offsetLeft}px ${top - dialog.offsetTop}px`;
}
