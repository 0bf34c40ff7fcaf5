/**
 * Sends the clicks of one mouse at one place, at chosen times: a real second click may come later than half a second after
 * the first on a busy machine.
 */
let start = 0;

/** A mouse that has not clicked for a minute, at a point of the window. Returns how it clicks on a control after some milliseconds. */
export function mouseAt(x = 50, y = 20): (control: Element, after: number) => void {
  // The clock of the window never runs back.
  start = Math.max(start, new Event('click').timeStamp) + 60_000;
  const from = start;
  return (control, after) => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: y });
    Object.defineProperty(event, 'timeStamp', { value: from + after });
    control.dispatchEvent(event);
  };
}
