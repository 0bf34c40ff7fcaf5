/**
 * The clocks of the app; no other module reads one. The browser's own clock may be days off and may jump while the page
 * is open, so it is never used: spans are measured by the monotonic clock, and the time of day is the server's, corrected
 * by each of its answers.
 */

/** Milliseconds since the page was opened. Never jumps; for spans such as "10 seconds ago". */
export function monotonicNow(): number {
  return performance.now();
}

/** Time between two looks at the clocks, in milliseconds. */
const LOOK_MILLISECONDS = 2000;

/**
 * Calls `onWake` after the page or the computer slept for at least `span` milliseconds. The monotonic clock of some systems
 * stands still meanwhile, so the browser's own clock is asked, too: if somebody sets it forward, that counts as sleep. Returns
 * the way to stop.
 */
export function followSleep(span: number, onWake: () => void): () => void {
  let last = [Date.now(), monotonicNow()] as const;
  const timer = setInterval(() => {
    const [now, monotonic] = [Date.now(), monotonicNow()];
    const slept = Math.max(now - last[0], monotonic - last[1]);
    last = [now, monotonic];
    if (slept >= span) onWake();
  }, LOOK_MILLISECONDS);
  return () => clearInterval(timer);
}

/** Server time minus monotonic time. Until the first answer the browser's own clock has to do. */
let offset = Date.now() - performance.now();
let isKnown = false;
const listeners = new Set<() => void>();

/** A correction that people would see, in milliseconds. */
const VISIBLE_CORRECTION = 1000;

/** The time on the server, in epoch milliseconds. */
export function serverNow(): number {
  return monotonicNow() + offset;
}

/**
 * Corrects the time by what the server said in an answer: at some moment between `sentAt` and `receivedAt` (monotonic) its
 * clock showed `time`. Changes as little as needed, so that a slow answer does not make the seconds jump.
 */
export function noteServerTime(time: number, sentAt: number, receivedAt: number): void {
  const [least, most] = [time - receivedAt, time - sentAt];
  const next = isKnown ? Math.min(Math.max(offset, least), most) : (least + most) / 2;
  isKnown = true;
  adopt(next);
}

/** Corrects the time by an event of the server, which may have been on its way for long: its clock shows at least `time`. */
export function noteServerEvent(time: number, receivedAt: number): void {
  const least = time - receivedAt;
  if (isKnown && offset >= least) return;
  isKnown = true;
  adopt(least);
}

/** How far the server's clock is ahead of the browser's own, in milliseconds: what a reload of the page would forget. */
export function serverLead(): number {
  return offset - (Date.now() - monotonicNow());
}

/** Takes the time from a lead that was kept over a reload, until the first answer of the server. */
export function assumeServerLead(lead: number): void {
  if (!isKnown) adopt(Date.now() - monotonicNow() + lead);
}

function adopt(next: number): void {
  const correction = Math.abs(next - offset);
  offset = next;
  if (correction < VISIBLE_CORRECTION) return;
  for (const listener of listeners) listener();
}

/** Calls `listener` after each correction that people would see; returns the way to stop. */
export function onClockCorrected(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A time that moves on in steps, for everybody who listens at once. */
export interface Ticks {
  /** The time at the last step. */
  now: () => number;
  /** Calls `listener` at each step and each visible correction; returns the way to stop. */
  listen: (listener: () => void) => () => void;
}

const ticksByPeriod = new Map<number, Ticks>();

/** The steps of one length, in milliseconds. Their one timer runs while anybody listens. */
export function everySoOften(period: number): Ticks {
  const known = ticksByPeriod.get(period);
  if (known) return known;
  const heard = new Set<() => void>();
  let last = serverNow();
  let stop: (() => void) | undefined;
  const step = () => {
    last = serverNow();
    for (const listener of heard) listener();
  };
  const start = () => {
    last = serverNow();
    const timer = setInterval(step, period);
    const stopCorrections = onClockCorrected(step);
    return () => {
      clearInterval(timer);
      stopCorrections();
    };
  };
  const ticks: Ticks = {
    now: () => {
      // While nobody listens, the last step may be long ago.
      if (!stop && Math.abs(serverNow() - last) >= period) last = serverNow();
      return last;
    },
    listen: (listener) => {
      heard.add(listener);
      stop ??= start();
      return () => {
        heard.delete(listener);
        if (heard.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
  ticksByPeriod.set(period, ticks);
  return ticks;
}
