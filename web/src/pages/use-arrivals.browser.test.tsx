import { http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { toast } from '@/components/toast';
import { siteKeys } from '@/features/sites/api/keys';
import { noteOwnArrival } from '@/features/guests/api/own-arrivals';
import { useUpdateGuest } from '@/features/guests/api/update-guest';
import { setDocumentTitle } from '@/lib/document-title';
import { tellUserForgotten } from '@/lib/session-end';
import { guest } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { onePage, problem, serve } from '@/testing/server';
import { useArrivals } from './use-arrivals';

// No message of one test stands in the next.
afterEach(() => tellUserForgotten());

const HARBOR = { id: '0190a000-0000-7000-8000-00000000000a', name: 'Harbor House' };
const MAPLE = { id: '0190a000-0000-7000-8000-00000000000b', name: 'Maple House' };

function Waiting() {
  const { mutate, isIdle, isPending } = useUpdateGuest();
  return (
    <>
      <h1>{useArrivals() ?? 'unknown'} waiting</h1>
      <button onClick={() => mutate({ guestId: 'g1', siteId: MAPLE.id, status: 'UNDO' })}>Undo</button>
      {isIdle || isPending ? null : <p>answered</p>}
    </>
  );
}

/** A screen of somebody who does intake at two sites, and a way to let reservations arrive there. */
async function open(user = currentUser({ role_intake_site_ids: `${HARBOR.id},${MAPLE.id}` })) {
  const pending = new Map([
    [HARBOR.id, 2],
    [MAPLE.id, 0],
  ]);
  const asked = vi.fn<() => void>();
  serve(
    http.get('/api/Sites', () => {
      asked();
      return Response.json(
        onePage([HARBOR, MAPLE].map((site) => ({ ...site, counts: { pending: pending.get(site.id) ?? 0 } }))),
      );
    }),
  );
  setDocumentTitle('Sites · Berth');
  const screen = await renderView(<Waiting />, { user });
  const change = (by: number, sites: readonly { id: string }[]) => {
    for (const { id } of sites) pending.set(id, (pending.get(id) ?? 0) + by);
    return screen.queryClient.invalidateQueries({ queryKey: siteKeys.list(null) });
  };
  const arrive = (...sites: { id: string }[]) => change(1, sites);
  const decide = (...sites: { id: string }[]) => change(-1, sites);
  return { screen, arrive, decide, asked, pending };
}

it('a new reservation is told wherever the user is, and leads to its site', async () => {
  const { screen, arrive } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  expect(document.title).toBe('(2) Sites · Berth');
  await arrive(HARBOR);
  await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
  await expect.element(screen.getByText('3 waiting')).toBeVisible();
  expect(document.title).toBe('(3) Sites · Berth');
  await screen.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => screen.router.state.location.href).toBe(`/reservations/${HARBOR.id}?tab=reservations`);
  await screen.unmount();
  expect(document.title).toBe('Sites · Berth');
});

it('what waited already is no news', async () => {
  const { screen } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  await expect.element(screen.getByText('reservation', { exact: false })).not.toBeInTheDocument();
});

it('new reservations at several sites are told at once', async () => {
  const { screen, arrive } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  await arrive(HARBOR, MAPLE);
  await expect.element(screen.getByText('2 new reservations at several sites')).toBeVisible();
  await screen.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations');
});

it('a message that still stands counts on', async () => {
  const { screen, arrive } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  await arrive(HARBOR);
  await expect.element(screen.getByText('New reservation at Harbor House')).toBeVisible();
  await arrive(HARBOR);
  await expect.element(screen.getByText('2 new reservations at Harbor House')).toBeVisible();
  await arrive(MAPLE);
  await expect.element(screen.getByText('3 new reservations at several sites')).toBeVisible();
  const close = screen.getByRole('button', { name: 'Close message' });
  await expect.poll(() => close.elements().length).toBe(1);
  await close.click();
  await arrive(MAPLE);
  await expect.element(screen.getByText('New reservation at Maple House')).toBeVisible();
});

it('a hidden tab counts on in its title, and tells what arrived when the user is back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const told = vi.spyOn(toast, 'news');
  const turn = (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  };
  try {
    const { screen, pending } = await open();
    await expect.element(screen.getByText('2 waiting')).toBeVisible();
    turn('hidden');
    pending.set(HARBOR.id, 4);
    await expect.poll(() => (vi.advanceTimersByTime(60_000), document.title)).toBe('(4) Sites · Berth');
    expect(told).not.toHaveBeenCalled();
    turn('visible');
    await expect.element(screen.getByText('2 new reservations at Harbor House')).toBeVisible();
  } finally {
    visibility.mockRestore();
    told.mockRestore();
    vi.useRealTimers();
  }
});

it('a reservation that was made here is no news to who made it, the next one is', async () => {
  const { screen, arrive } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  const noteAnswer = noteOwnArrival(MAPLE.id);
  await arrive(MAPLE);
  noteAnswer(true);
  await expect.element(screen.getByText('3 waiting')).toBeVisible();
  await expect.element(screen.getByText('New reservation', { exact: false })).not.toBeInTheDocument();
  await arrive(MAPLE);
  await expect.element(screen.getByText('New reservation at Maple House')).toBeVisible();
});

it('a reservation that was made in another tab of this browser is no news either, the next one is', async () => {
  const { screen, arrive } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  const other = new BroadcastChannel('berth.own-arrivals');
  other.postMessage({ siteId: MAPLE.id });
  // The channel keeps the order: what this one hears, the other listener has heard.
  await new Promise<void>((resolve) => {
    const echo = new BroadcastChannel('berth.own-arrivals');
    echo.addEventListener('message', () => (echo.close(), resolve()));
    other.postMessage({ siteId: HARBOR.id });
  });
  other.close();
  await arrive(MAPLE);
  await expect.element(screen.getByText('3 waiting')).toBeVisible();
  await expect.element(screen.getByText('New reservation', { exact: false })).not.toBeInTheDocument();
  await arrive(MAPLE);
  await expect.element(screen.getByText('New reservation at Maple House')).toBeVisible();
});

it('a reservation that is decided is no news', async () => {
  const { screen, decide } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  await decide(HARBOR);
  await expect.element(screen.getByText('1 waiting')).toBeVisible();
  expect(document.title).toBe('(1) Sites · Berth');
  await expect.element(screen.getByText('New reservation', { exact: false })).not.toBeInTheDocument();
});

it('global admins, who have every site, are neither told nor asked for', async () => {
  const { screen, asked } = await open(currentUser({ role_global: true }));
  await expect.element(screen.getByText('unknown waiting')).toBeVisible();
  await screen.queryClient.invalidateQueries();
  expect(asked).not.toHaveBeenCalled();
});

it.each([
  ['an undone discharge', () => Response.json(guest('g1', { status: 'accepted', siteId: MAPLE.id }))],
  ['a refused undo', () => problem(409, 'This can no longer be undone.')],
])('%s, which brings no reservation, hides none that others make', async (_, answer) => {
  serve(http.patch('/api/Guests/:id', answer));
  const { screen, arrive } = await open();
  await expect.element(screen.getByText('2 waiting')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('answered')).toBeVisible();
  await arrive(MAPLE);
  await expect.element(screen.getByText('New reservation at Maple House')).toBeVisible();
});
