/**
 * Sends the clicks of one mouse at one place, at chosen times: a real second click may come later than half a second after
 * the first on a busy machine.
 */
let start = 0;

/** A mouse or finger that has not clicked for a minute, at a point of the window. Returns how it clicks on a control after some milliseconds. */
export function pointerAt(
  x = 50,
  y = 20,
  pointerType: 'mouse' | 'touch' = 'mouse',
): (control: Element, after: number) => void {
  // The clock of the window never runs back.
  start = Math.max(start, new Event('click').timeStamp) + 60_000;
  const from = start;
  return (control, after) => {
    // Browsers count the clicks of a mouse, and not everywhere those of a finger.
    const detail = pointerType === 'mouse' && after > 0 ? 2 : 1;
    const where = { clientX: x, clientY: y, pointerType };
    const event = new PointerEvent('click', { bubbles: true, cancelable: true, detail, ...where });
    Object.defineProperty(event, 'timeStamp', { value: from + after });
    control.dispatchEvent(event);
  };
}
