import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The module anew, as a page loads it, with the browser's clock `ahead` of the server's. */
async function open(ahead: number) {
  vi.resetModules();
  vi.setSystemTime(NOON + ahead);
  return import('./clock');
}

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** Time passes: on every clock. */
function pass(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds);
}

describe.each([
  ['a day ahead', DAY],
  ['an hour ahead', HOUR],
  ['right', 0],
  ['a day behind', -DAY],
])('with the browser clock %s', (_name, ahead) => {
  it("the time is the server's from the first answer on", async () => {
    const { monotonicNow, noteServerTime, serverNow } = await open(ahead);
    const sentAt = monotonicNow();
    pass(40);
    noteServerTime(NOON + 20, sentAt, monotonicNow());
    expect(Math.abs(serverNow() - (NOON + 40))).toBeLessThanOrEqual(20);
    pass(HOUR);
    expect(Math.abs(serverNow() - (NOON + 40 + HOUR))).toBeLessThanOrEqual(20);
  });
});

it('a jump of the browser clock changes nothing', async () => {
  const { monotonicNow, noteServerTime, serverNow } = await open(0);
  noteServerTime(NOON, monotonicNow(), monotonicNow());
  const before = serverNow();
  vi.setSystemTime(NOON + DAY);
  expect(serverNow()).toBe(before);
  vi.setSystemTime(NOON - DAY);
  expect(serverNow()).toBe(before);
});

it('a slow answer does not move the time that is known better', async () => {
  const { monotonicNow, noteServerTime, serverNow } = await open(0);
  noteServerTime(NOON, monotonicNow(), monotonicNow());
  const sentAt = monotonicNow();
  pass(20_000);
  // Stamped early, received late.
  noteServerTime(NOON + 10, sentAt, monotonicNow());
  expect(serverNow()).toBe(NOON + 20_000);
});

it('a clock of the server that was set is followed, and screens are told', async () => {
  const { monotonicNow, noteServerTime, onClockCorrected, serverNow } = await open(0);
  noteServerTime(NOON, monotonicNow(), monotonicNow());
  const listener = vi.fn<() => void>();
  const stop = onClockCorrected(listener);
  noteServerTime(NOON + 100, monotonicNow(), monotonicNow());
  expect(listener).not.toHaveBeenCalled();
  noteServerTime(NOON + HOUR, monotonicNow(), monotonicNow());
  expect(serverNow()).toBe(NOON + HOUR);
  expect(listener).toHaveBeenCalledTimes(1);
  noteServerTime(NOON - HOUR, monotonicNow(), monotonicNow());
  expect(serverNow()).toBe(NOON - HOUR);
  stop();
  noteServerTime(NOON, monotonicNow(), monotonicNow());
  expect(listener).toHaveBeenCalledTimes(2);
});

it('a computer that slept is put right by the next event, and a late event puts nothing wrong', async () => {
  const { monotonicNow, noteServerEvent, noteServerTime, serverNow } = await open(0);
  noteServerTime(NOON, monotonicNow(), monotonicNow());
  // Ten minutes of sleep, in which the monotonic clock stood still.
  noteServerEvent(NOON + 600_000, monotonicNow());
  expect(serverNow()).toBe(NOON + 600_000);
  // An event that was held up for a minute.
  noteServerEvent(NOON + 540_000, monotonicNow());
  expect(serverNow()).toBe(NOON + 600_000);
});

it('whatever counts down equally often shares one timer, which ends with the last listener', async () => {
  vi.useRealTimers();
  vi.useFakeTimers();
  const { everySoOften } = await open(0);
  const heard = vi.fn<() => void>();
  const ticks = everySoOften(1000);
  expect(everySoOften(1000)).toBe(ticks);
  const stops = Array.from({ length: 100 }, () => ticks.listen(() => heard()));
  expect(vi.getTimerCount()).toBe(1);
  const before = ticks.now();
  vi.advanceTimersByTime(1000);
  expect(heard).toHaveBeenCalledTimes(100);
  expect(ticks.now() - before).toBe(1000);
  for (const stop of stops) stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(ticks.now() - before).toBe(6000);
});
