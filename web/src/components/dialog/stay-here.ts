import type { RouterHistory } from '@tanstack/react-router';

/** Milliseconds after which a return has got lost: a quick second Back of the user ends it. */
const RETURN_LOST = 150;
/** An entry that cannot be reached in as many tries is gone. */
const MAX_TRIES = 10;

/** The return that is on its way. */
let arrival: Promise<void> | null = null;

/** How many entries the browser is ahead of what the router shows: -1 while it decides about Back. */
export function stepsOfPop(history: RouterHistory): number {
  const state: unknown = window.history.state;
  const index = typeof state === 'object' && state !== null && '__TSR_index' in state ? Number(state.__TSR_index) : NaN;
  return index - history.location.state.__TSR_index;
}

/** Returns true while the browser returns to what the router shows: no step of the history counts until then. */
export function isReturning(): boolean {
  return arrival !== null;
}

/** Resolves when the browser is where the router is. */
export async function returned(): Promise<void> {
  await arrival;
}

/**
 * For a blocker of the router: keeps it from following Back or Forward, and leads the browser back to the entry that the
 * router shows. The router's own way gives up when the user presses Back again meanwhile; address and screen then differ.
 */
export function stayHere(history: RouterHistory): Promise<boolean> {
  arrival ??= comeBack(history).finally(() => {
    arrival = null;
  });
  return never();
}

function comeBack(history: RouterHistory): Promise<void> {
  return new Promise((resolve) => {
    let tries = 0;
    let timer = 0;
    const unblock = history.block({
      blockerFn: async ({ action }) => {
        if (action === 'PUSH' || action === 'REPLACE') {
          // It would change the wrong entry.
          await arrival;
          return false;
        }
        window.clearTimeout(timer);
        if (stepsOfPop(history) === 0) end();
        // The user has gone on, and the return may still come.
        else timer = window.setTimeout(attempt, RETURN_LOST);
        return never();
      },
      enableBeforeUnload: false,
    });
    const end = () => {
      unblock();
      resolve();
    };
    const attempt = () => {
      const steps = -stepsOfPop(history);
      tries += 1;
      if (steps === 0 || Number.isNaN(steps) || tries > MAX_TRIES) return end();
      window.history.go(steps);
      timer = window.setTimeout(attempt, RETURN_LOST);
    };
    attempt();
  });
}

function never(): Promise<boolean> {
  return new Promise(() => undefined);
}
