/**
 * Lets a gesture finish before the board changes under it: while somebody holds, news wait (guide web, section 11).
 */
let holders = 0;
const waiting = new Set<() => void>();

/** Begins to hold; call the returned function once to let the news through. */
export function holdLiveUpdates(): () => void {
  holders += 1;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    holders -= 1;
    if (holders > 0) return;
    const due = [...waiting];
    waiting.clear();
    for (const run of due) run();
  };
}

/** Runs now, or when the last hold is released. */
export function whenReleased(run: () => void): void {
  if (holders === 0) run();
  else waiting.add(run);
}
