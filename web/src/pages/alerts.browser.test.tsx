import { http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { siteKeys } from '@/features/sites/api/keys';
import { todayKeys } from '@/features/today/api/keys';
import { serverNow } from '@/lib/clock';
import { tellUserForgotten } from '@/lib/session-end';
import { guest } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { onePage, serve } from '@/testing/server';
import { Arrivals } from './arrivals';

const HARBOR = {
  id: '0190a000-0000-7000-8000-00000000000a',
  name: 'Harbor House',
  timeZone: 'America/Los_Angeles',
  organizationId: 'o1',
  isCommercial: false,
};
const MAPLE = { ...HARBOR, id: '0190a000-0000-7000-8000-00000000000b', name: 'Maple House', timeZone: 'Asia/Tokyo' };
const intake = currentUser({ role_intake_site_ids: `${HARBOR.id},${MAPLE.id}` });

/** What the user sees and hears beyond the screen. */
class FakeNotification extends EventTarget {
  static permission = 'granted';
  static shown: FakeNotification[] = [];
  readonly text: string;
  readonly close = vi.fn();
  constructor(text: string) {
    super();
    this.text = text;
    FakeNotification.shown.push(this);
  }
}
const shown = () => FakeNotification.shown.map(({ text }) => text);
const played = vi.fn<() => void>();

let hasFocus: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  FakeNotification.shown = [];
  played.mockClear();
  vi.stubGlobal('Notification', FakeNotification);
  const RealContext = AudioContext;
  vi.stubGlobal(
    'AudioContext',
    class extends RealContext {
      constructor() {
        super();
        played();
      }
    },
  );
  hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
});
afterEach(() => {
  vi.unstubAllGlobals();
  hasFocus.mockRestore();
  tellUserForgotten();
});

const clockOf = (minutes: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    .format(serverNow() + minutes * 60_000)
    .concat(':00');
/** An hour around this moment, by the clock of a place. */
const quietNow = (timeZone: string) => ({ quietFrom: clockOf(-30, timeZone), quietUntil: clockOf(30, timeZone) });

async function open(quiet = NEVER, user = intake) {
  const pending = new Map([
    [HARBOR.id, 2],
    [MAPLE.id, 0],
  ]);
  const world = { waiting: [] as unknown[] };

  const asked = vi.fn<() => void>();
  serve(
    http.get('/api/Sites', () => {
      return Response.json(
        onePage([HARBOR, MAPLE].map((site) => ({ ...site, counts: { pending: pending.get(site.id) ?? 0 } }))),
      );
    }),
    http.get('/api/Today', () => Response.json({ ...world, waitingTotal: 0, moves: [], sites: [], soon: [] })),
    http.get('/api/Users/messages', () => {
      asked();
      return Response.json({ places: [], hasStoppedSms: false, ...quiet });
    }),
  );
  const onWaiting = vi.fn<(waiting: number | undefined) => void>();
  const screen = await renderView(<Arrivals onWaiting={onWaiting} />, { user });
  await expect.poll(() => onWaiting.mock.lastCall?.[0]).toBe(2);
  // This tab speaks once it has the lock.
  await expect
    .poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'berth.alerts'))
    .toBe(true);
  const arrive = (...sites: { id: string }[]) => {
    for (const { id } of sites) pending.set(id, (pending.get(id) ?? 0) + 1);
    return screen.queryClient.invalidateQueries({ queryKey: siteKeys.list(null) });
  };
  return { screen, arrive, asked, world, onWaiting };
}
const NEVER: { quietFrom: string | null; quietUntil: string | null } = { quietFrom: null, quietUntil: null };

it('nothing is played or shown unless the user wants it', async () => {
  const { screen, arrive, asked } = await open();
  await arrive(HARBOR);
  await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
  expect(asked).not.toHaveBeenCalled();
  expect(played).not.toHaveBeenCalled();
  expect(shown()).toEqual([]);
});

describe('a user who wants both', () => {
  const views = { 'setting.alert-sound': 'on', 'setting.alert-notification': 'on' };
  const openBoth = (quiet = NEVER) => open(quiet, { ...intake, views });

  it('hears a new reservation, and is shown its site alone; a click leads to Today', async () => {
    const { screen, arrive } = await openBoth();
    await arrive(HARBOR);
    await expect.poll(shown).toEqual(['New reservation at Harbor House']);
    expect(played).toHaveBeenCalledOnce();
    const [notification] = FakeNotification.shown;
    notification?.dispatchEvent(new Event('click'));
    await expect.poll(() => screen.router.state.location.pathname).toBe('/today');
    expect(notification?.close).toHaveBeenCalled();
  });

  it('has it in the message alone while the tab has the focus', async () => {
    hasFocus.mockReturnValue(true);
    const { screen, arrive, asked } = await openBoth();
    await arrive(HARBOR);
    await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    expect(shown()).toEqual([]);
  });

  it('is left alone in the quiet hours of the site, which are not those of others', async () => {
    const { arrive } = await openBoth(quietNow(HARBOR.timeZone));
    await arrive(HARBOR, MAPLE);
    await expect.poll(shown).toEqual(['New reservation at Maple House']);
  });

  it('hears nothing where all is quiet', async () => {
    const { screen, arrive, asked } = await openBoth(quietNow(HARBOR.timeZone));
    await arrive(HARBOR);
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
    expect(shown()).toEqual([]);
    expect(played).not.toHaveBeenCalled();
  });

  it('is told while the tab is hidden, and not again when it is seen', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
    const turn = (state: DocumentVisibilityState) => {
      visibility.mockReturnValue(state);
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    };
    try {
      const { screen, arrive } = await openBoth();
      turn('hidden');
      await expect
        .poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'berth.alerts'))
        .toBe(true);
      await arrive(HARBOR);
      await expect.poll(shown).toEqual(['New reservation at Harbor House']);
      turn('visible');
      await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
      expect(shown()).toHaveLength(1);
    } finally {
      visibility.mockRestore();
    }
  });

  it('hears of a hold that ends, in words without a name', async () => {
    const { screen, world } = await openBoth();
    const expiresAt = new Date(serverNow() + 9 * 60_000).toISOString();
    world.waiting = [{ guest: guest('a', { siteId: HARBOR.id, status: 'pending', expiresAt }), site: HARBOR }];
    await screen.queryClient.invalidateQueries({ queryKey: todayKeys.all });
    await expect.poll(shown).toEqual(['A hold at Harbor House ends in 9 minutes']);
  });

  it('hears nothing of what another tab told', async () => {
    const { screen, arrive } = await openBoth();
    const other = new BroadcastChannel('berth.alerts');
    other.postMessage({
      pending: new Map([
        [HARBOR.id, 3],
        [MAPLE.id, 0],
      ]),
    });
    // The channel keeps the order: what this one hears, the other listener has heard.
    await new Promise<void>((resolve) => {
      const echo = new BroadcastChannel('berth.alerts');
      echo.addEventListener('message', () => (echo.close(), resolve()));
      other.postMessage({});
    });
    other.close();
    await arrive(HARBOR);
    await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
    await arrive(MAPLE);
    await expect.poll(shown).toEqual(['New reservation at Maple House']);
  });

  it('hears nothing from a tab that another one speaks for, and hears it when that one is gone', async () => {
    const { screen, arrive } = await openBoth();
    let leave: () => void = () => undefined;
    await new Promise<void>((taken) => {
      navigator.locks
        .request('berth.alerts', { steal: true }, () => {
          taken();
          return new Promise<void>((resolve) => (leave = resolve));
        })
        .catch(() => undefined);
    });
    await expect
      .poll(async () => (await navigator.locks.query()).pending?.some(({ name }) => name === 'berth.alerts'))
      .toBe(true);
    await arrive(HARBOR);
    await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
    leave();
    await expect
      .poll(async () => (await navigator.locks.query()).pending?.some(({ name }) => name === 'berth.alerts'))
      .toBe(false);
    await arrive(MAPLE);
    await expect.poll(shown).toEqual(['New reservation at Maple House']);
  });
});
