import { useQuery } from '@tanstack/react-query';
import { http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { todayKeys } from '@/features/today/api/keys';
import type { Schemas } from '@/api/client';
import { todayQuery } from '@/features/today/api/today-query';
import { noteServerTime, serverNow } from '@/lib/clock';
import { tellUserForgotten } from '@/lib/session-end';
import { guest } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { onePage, serve } from '@/testing/server';
import { Arrivals } from './arrivals';

const S1 = '0190a000-0000-7000-8000-00000000000a';
const S2 = '0190a000-0000-7000-8000-00000000000b';
const place = (id: string, name: string) => ({
  id,
  name,
  organizationId: 'o1',
  isCommercial: false,
  timeZone: 'America/Los_Angeles',
});
const harbor = place(S1, 'Harbor House');
const maple = place(S2, 'Maple House');
const intake = currentUser({ role_intake_site_ids: `${S1},${S2}` });

const inMinutes = (minutes: number) => new Date(serverNow() + minutes * 60_000).toISOString();
const waiting = (id: string, minutes: number, site = harbor) => ({
  guest: guest(id, { siteId: site.id, status: 'pending', expiresAt: inMinutes(minutes) }),
  site,
});

afterEach(() => tellUserForgotten());

/** Puts the clock of the server ahead, as after the sleep of a computer. */
function passMinutes(minutes: number) {
  noteServerTime(serverNow() + minutes * 60_000, performance.now(), performance.now());
}

/** Says when the shift is there. */
function Shift() {
  const { data } = useQuery({ ...todayQuery(false, {}), enabled: false });
  return <h1>{data?.waiting.length ?? 'unknown'} waiting</h1>;
}

/** A screen of somebody who decides at two sites, with what waits there. */
async function open(entries: Schemas['Today']['waiting'], user = intake) {
  const world = { waiting: entries, moves: [] as unknown[] };
  const asked = vi.fn<() => void>();
  serve(
    http.get('/api/Sites', () => Response.json(onePage([]))),
    http.get('/api/Today', () => {
      asked();
      return Response.json({ ...world, waitingTotal: world.waiting.length, sites: [], soon: [] });
    }),
  );
  const screen = await renderView(
    <>
      <Shift />
      <Arrivals onWaiting={() => undefined} />
    </>,
    { user },
  );
  const refresh = () => screen.queryClient.invalidateQueries({ queryKey: todayKeys.all });
  return { screen, world, asked, refresh };
}

const text = () => document.body.textContent;
const messages = () => document.querySelectorAll('.mantine-Notification-root').length;

it('a hold is told 15 minutes before its end, and leads to Today', async () => {
  const { screen } = await open([waiting('a', 15.005), waiting('b', 90, maple)]);
  await expect.element(screen.getByText('A hold at Harbor House ends in 15 minutes')).toBeVisible();
  expect(text()).not.toContain('Maple House');
  await screen.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/today');
});

it('a hold is told once, however often the list changes', async () => {
  const { screen, world, refresh } = await open([waiting('a', 15.005)]);
  await expect.element(screen.getByText('A hold at Harbor House ends in 15 minutes')).toBeVisible();
  await screen.getByRole('button', { name: 'Close message' }).click();
  await expect.poll(messages).toBe(0);
  world.waiting = [...world.waiting, waiting('b', 7, maple)];
  await refresh();
  await expect.element(screen.getByText('A hold at Maple House ends in 7 minutes')).toBeVisible();
});

it('a message that still stands counts on', async () => {
  const { screen, world, refresh } = await open([waiting('a', 10)]);
  await expect.element(screen.getByText('A hold at Harbor House ends in 10 minutes')).toBeVisible();
  world.waiting = [...world.waiting, waiting('b', 7, maple)];
  await refresh();
  await expect.element(screen.getByText('2 holds end within 15 minutes')).toBeVisible();
});

it('a hold that ends while the computer sleeps is told of afterwards', async () => {
  const { screen } = await open([waiting('a', 60)]);
  await expect.element(screen.getByText('1 waiting')).toBeVisible();
  passMinutes(52);
  await expect.element(screen.getByText('A hold at Harbor House ends in 8 minutes')).toBeVisible();
});

it('a reservation that somebody decided on in the meantime is not told of', async () => {
  const { screen, world } = await open([waiting('a', 60)]);
  await expect.element(screen.getByText('1 waiting')).toBeVisible();
  world.waiting = [];
  passMinutes(52);
  await expect.element(screen.getByText('0 waiting')).toBeVisible();
  expect(messages()).toBe(0);
});

it('a hold that ended without a decision is told, a decision is not', async () => {
  const [lost, taken] = [waiting('a', 60), waiting('b', 60, maple)];
  const { screen, world, refresh } = await open([lost, taken]);
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  world.waiting = [];
  world.moves = [
    { kind: 'expired', ...lost },
    { kind: 'accepted', ...taken },
    { kind: 'expired', ...waiting('c', -300, maple) },
  ];
  await refresh();
  await expect.element(screen.getByText('A hold at Harbor House has ended')).toBeVisible();
  expect(text()).not.toContain('Maple House');
  await refresh();
  await expect.poll(messages).toBe(1);
});

it('staff, who decide nothing, and global admins are not asked for', async () => {
  const staff = await open([waiting('a', 10)], currentUser({ role_staff_site_ids: S1 }));
  await staff.screen.queryClient.invalidateQueries();
  expect(staff.asked).not.toHaveBeenCalled();
  await staff.screen.unmount();
  const admin = await open([waiting('a', 10)], currentUser({ role_global: true }));
  await admin.screen.queryClient.invalidateQueries();
  expect(admin.asked).not.toHaveBeenCalled();
});

it('a hold at a site where the user is staff is not told', async () => {
  const user = currentUser({ role_intake_site_ids: S1, role_staff_site_ids: S2 });
  const { screen } = await open([waiting('b', 7, maple), waiting('a', 9)], user);
  await expect.element(screen.getByText('A hold at Harbor House ends in 9 minutes')).toBeVisible();
  expect(text()).not.toContain('Maple House');
});
