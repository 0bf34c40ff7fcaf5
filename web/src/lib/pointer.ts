/** Follows the main button of a mouse, a pen or a finger from press to release. */
let isPressed = false;
let waiting: (() => void)[] = [];

function press({ button }: { button: number }): void {
  if (button === 0) isPressed = true;
}

function release(): void {
  // The click follows the release in the same task: whoever waits comes after it.
  setTimeout(() => {
    isPressed = false;
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  });
}

/** Ends of a press, and what shows that an end was missed: keys, and another window in front. */
const ENDS = ['pointerup', 'mouseup', 'pointercancel', 'dragend', 'keydown'] as const;

if (typeof window !== 'undefined') {
  const options = { capture: true, passive: true };
  window.addEventListener('pointerdown', press, options);
  // A tap sends its mouse events after its pointer events, and the focus moves with the former.
  window.addEventListener('mousedown', press, options);
  for (const end of ENDS) window.addEventListener(end, release, options);
  window.addEventListener('blur', release);
}

/** Resolves at once while nothing is pressed; else after the release and the click that follows it. */
export function pointerReleased(): Promise<void> {
  return isPressed ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}
