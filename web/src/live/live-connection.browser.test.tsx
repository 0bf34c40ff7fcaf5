import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { monotonicNow, noteServerTime, serverNow } from '@/lib/clock';
import { LiveConnection } from './live-connection';

const SITE = '0190a000-0000-7000-8000-00000000000a';
const realEventSource = globalThis.EventSource;

/** A stream under the test's control. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeStream[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    FakeStream.opened.push(this);
  }

  close() {
    this.readyState = FakeStream.CLOSED;
  }

  say(type: 'ready' | 'site' | 'resync' | 'heartbeat', data?: object) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data ?? {}) }));
  }

  fail(isClosed: boolean) {
    this.readyState = isClosed ? FakeStream.CLOSED : 0;
    this.dispatchEvent(new Event('error'));
  }
}

function latest(): FakeStream {
  const stream = FakeStream.opened.at(-1);
  if (!stream) throw new Error('No stream was opened.');
  return stream;
}

function open(answer = () => Promise.resolve(true)) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['sites', SITE, 'details'], { version: 7 });
  const onRefused = vi.fn<() => void>();
  const dropDead = vi.fn<(wasLive: boolean) => Promise<void>>(() => Promise.resolve());
  const isAnswered = vi.fn<() => Promise<boolean>>(answer);
  const connection = new LiveConnection({ queryClient, onRefused, dropDead, isAnswered });
  const stop = connection.start();
  const isStale = () => queryClient.getQueryState(['sites', SITE, 'details'])?.isInvalidated;
  return { connection, stop, onRefused, dropDead, isAnswered, isStale, queryClient };
}

function setVisibility(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  FakeStream.opened = [];
  globalThis.EventSource = FakeStream as unknown as typeof EventSource;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  globalThis.EventSource = realEventSource;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('news of a site load it again, gathered over a quarter of a second', () => {
  const { connection, stop, isStale } = open();
  expect(latest().url).toBe('/api/live');
  expect(connection.status).toBe('connecting');
  latest().say('ready');
  expect(connection.status).toBe('live');
  latest().say('site', { siteId: SITE, version: 8 });
  vi.advanceTimersByTime(249);
  expect(isStale()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isStale()).toBe(true);
  stop();
});

it('our own change, loaded already, does not load twice', () => {
  const { stop, isStale } = open();
  latest().say('ready');
  latest().say('site', { siteId: SITE, version: 7 });
  vi.advanceTimersByTime(250);
  expect(isStale()).toBe(false);
  stop();
});

it('a broken stream says so, and what was missed is loaded when it is back', () => {
  const { connection, stop, isStale, onRefused } = open();
  latest().say('ready');
  latest().fail(false);
  expect(connection.status).toBe('reconnecting');
  expect(onRefused).not.toHaveBeenCalled();
  latest().say('ready');
  expect(connection.status).toBe('live');
  expect(isStale()).toBe(true);
  stop();
});

it('a refused stream asks whether the session is over, and is tried again with longer and longer waits', () => {
  const { connection, stop, onRefused } = open();
  latest().fail(true);
  expect(onRefused).toHaveBeenCalledTimes(1);
  expect(connection.status).toBe('reconnecting');
  vi.advanceTimersByTime(1000);
  expect(FakeStream.opened).toHaveLength(2);
  latest().fail(true);
  vi.advanceTimersByTime(1999);
  expect(FakeStream.opened).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(FakeStream.opened).toHaveLength(3);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(FakeStream.opened).toHaveLength(3);
});

it('20 seconds without a heartbeat are a lost connection: it says so, connects again and loads what was missed', async () => {
  const { connection, stop, dropDead, isStale } = open();
  latest().say('ready');
  const frozen = latest();
  vi.advanceTimersByTime(12_000);
  frozen.say('heartbeat');
  vi.advanceTimersByTime(19_999);
  expect(connection.status).toBe('live');
  await vi.advanceTimersByTimeAsync(1);
  expect(connection.status).toBe('reconnecting');
  expect(dropDead).toHaveBeenCalledTimes(1);
  expect(frozen.readyState).toBe(FakeStream.CLOSED);
  expect(FakeStream.opened).toHaveLength(2);
  expect(isStale()).toBe(false);
  latest().say('ready');
  expect(connection.status).toBe('live');
  expect(isStale()).toBe(true);
  stop();
});

describe('a computer that slept', () => {
  const OPENED = 1_000_000_000;

  /** Opens the stream and lets the clocks go on, the second time by what the computer slept. */
  async function sleep(byWall: number, byMonotonic: number, isAnswered: boolean) {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const wall = vi.spyOn(Date, 'now').mockReturnValue(OPENED);
    const monotonic = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const opened = open(() => Promise.resolve(isAnswered));
    latest().say('ready');
    await vi.advanceTimersByTimeAsync(2000);
    wall.mockReturnValue(OPENED + 19_999);
    await vi.advanceTimersByTimeAsync(2000);
    expect(opened.connection.status).toBe('live');
    expect(opened.isAnswered).not.toHaveBeenCalled();
    wall.mockReturnValue(OPENED + 19_999 + byWall);
    monotonic.mockReturnValue(1000 + byMonotonic);
    await vi.advanceTimersByTimeAsync(2000);
    expect(opened.isAnswered).toHaveBeenCalledTimes(1);
    return opened;
  }

  it.each([
    ['stood still meanwhile', 20_000, 0],
    ['went on', 20_000, 20_000],
    ['was set back meanwhile', -3_600_000, 20_000],
  ])('and whose clock %s says that what is shown may be old if the server does not answer', async (_, ...slept) => {
    const { connection, stop, dropDead, isAnswered } = await sleep(...slept, false);
    expect(connection.status).toBe('reconnecting');
    expect(dropDead).toHaveBeenCalledWith(true);
    // One sleep is found once: the new stream compares the clocks from its own start.
    await vi.advanceTimersByTimeAsync(4000);
    expect(isAnswered).toHaveBeenCalledTimes(1);
    stop();
  });

  it('closes nothing that still works: perhaps only the clock was set', async () => {
    const { connection, stop, dropDead } = await sleep(3_600_000, 0, true);
    await vi.advanceTimersByTimeAsync(9000);
    latest().say('heartbeat');
    await vi.advanceTimersByTimeAsync(19_999);
    expect(connection.status).toBe('live');
    expect(dropDead).not.toHaveBeenCalled();
    expect(FakeStream.opened).toHaveLength(1);
    stop();
  });

  it('finds a stream that did not survive within ten seconds', async () => {
    const { connection, stop, dropDead } = await sleep(3_600_000, 0, true);
    await vi.advanceTimersByTimeAsync(9999);
    expect(connection.status).toBe('live');
    await vi.advanceTimersByTimeAsync(1);
    expect(connection.status).toBe('reconnecting');
    expect(dropDead).toHaveBeenCalledWith(true);
    stop();
  });

  it('is not one whose tab was hidden for long', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const wall = vi.spyOn(Date, 'now').mockReturnValue(OPENED);
    const { stop, isAnswered } = open();
    latest().say('ready');
    setVisibility('hidden');
    wall.mockReturnValue(OPENED + 600_000);
    setVisibility('visible');
    await vi.advanceTimersByTimeAsync(2000);
    expect(isAnswered).not.toHaveBeenCalled();
    stop();
  });
});

it('a connection that never opens is tried again, too', async () => {
  const { connection, stop } = open();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(FakeStream.opened).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(FakeStream.opened).toHaveLength(3);
  expect(connection.status).toBe('reconnecting');
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeStream.opened).toHaveLength(3);
});

it('what is being loaded is given up after a silence, but not again while no event has ended it', async () => {
  const { stop, dropDead } = open();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(dropDead.mock.calls).toEqual([[true], [false]]);
  latest().say('heartbeat');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(dropDead).toHaveBeenLastCalledWith(true);
  stop();
});

it('a page that is left while dead connections are dropped opens no stream any more', async () => {
  const { stop, dropDead } = open();
  let drop = () => undefined as void;
  dropDead.mockImplementation(
    () =>
      new Promise((resolve) => {
        drop = resolve;
      }),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  expect(FakeStream.opened).toHaveLength(1);
  stop();
  drop();
  await vi.advanceTimersByTimeAsync(0);
  expect(FakeStream.opened).toHaveLength(1);
});

it('a resync of the server loads everything again: sites, rights, and what was found', () => {
  const { connection, stop, isStale, queryClient } = open();
  const others = [['current-user'], ['search', '8722']];
  for (const key of others) queryClient.setQueryData(key, {});
  latest().say('ready');
  expect(isStale()).toBe(false);
  latest().say('resync');
  expect(isStale()).toBe(true);
  for (const key of others) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  expect(connection.status).toBe('live');
  stop();
});

it('a browser without a network says so at once, and any event takes it back', () => {
  const { connection, stop, isStale } = open();
  latest().say('ready');
  window.dispatchEvent(new Event('offline'));
  expect(connection.status).toBe('reconnecting');
  latest().say('heartbeat');
  expect(connection.status).toBe('live');
  expect(isStale()).toBe(true);
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
  expect(FakeStream.opened).toHaveLength(2);
  stop();
});

it('the time of the server is taken from its events', () => {
  const { stop } = open();
  const ahead = serverNow() + 3_600_000;
  latest().say('ready', { now: new Date(ahead).toISOString() });
  expect(serverNow() - ahead).toBeGreaterThanOrEqual(-1);
  latest().say('heartbeat', { now: new Date(ahead + 1_000_000).toISOString() });
  expect(serverNow() - ahead).toBeGreaterThanOrEqual(999_999);
  stop();
  // Other tests of this page count by the clock of the browser again.
  noteServerTime(Date.now(), monotonicNow(), monotonicNow());
});

it('a hidden tab holds no stream, and catches up when it is seen again', () => {
  const { connection, stop, isStale } = open();
  latest().say('ready');
  setVisibility('hidden');
  expect(latest().readyState).toBe(FakeStream.CLOSED);
  expect(connection.status).toBe('closed');
  setVisibility('visible');
  expect(FakeStream.opened).toHaveLength(2);
  latest().say('ready');
  expect(isStale()).toBe(true);
  stop();
});
