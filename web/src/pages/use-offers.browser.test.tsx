import { http } from 'msw';
import { afterEach, expect, it } from 'vitest';
import { todayKeys } from '@/features/today/api/keys';
import type { Schemas } from '@/api/client';
import { tellUserForgotten } from '@/lib/session-end';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { onePage, serve } from '@/testing/server';
import { bay, harbor, siteOf } from '@/testing/today-world';
import { Arrivals } from './arrivals';

const intake = currentUser({ role_intake_site_ids: `${harbor.id},${bay.id}` });

afterEach(() => tellUserForgotten());

type Site = Schemas['TodaySite'];

/** A screen of somebody who decides at two sites, with the offers there. */
async function open(...sites: Site[]) {
  const world = { sites };
  serve(
    http.get('/api/Sites', () => Response.json(onePage([]))),
    http.get('/api/Today', () =>
      Response.json({ sites: world.sites, waiting: [], waitingTotal: 0, moves: [], soon: [] }),
    ),
  );
  const screen = await renderView(<Arrivals onWaiting={() => undefined} />, { user: intake });
  const isLoaded = () => screen.queryClient.getQueriesData({ queryKey: todayKeys.all }).some(([, data]) => data);
  await expect.poll(isLoaded).toBe(true);
  const change = async (...next: Site[]) => {
    world.sites = next;
    await screen.queryClient.invalidateQueries({ queryKey: todayKeys.all });
  };
  return { screen, change };
}

const atHarbor = (offeredAt: string | null): Site => ({ ...siteOf(harbor, 1, 0), offeredAt });
const atBay = (offeredAt: string | null): Site => ({ ...siteOf(bay, 1, 0), offeredAt });
const messages = () => document.querySelectorAll('.mantine-Notification-root').length;

it('a bed that is offered is told, and leads to the waitlist of the site', async () => {
  const { screen, change } = await open(atHarbor(null), atBay(null));
  await change(atHarbor('2026-11-27T10:00:00.000Z'), atBay(null));
  await expect.element(screen.getByText('A bed at Harbor House is on offer')).toBeVisible();
  await screen.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe(`/waitlist/${harbor.id}`);
});

it('an offer that was open before is no news, the next one at the same site is', async () => {
  const { screen, change } = await open(atHarbor('2026-11-27T10:00:00.000Z'));
  await change(atHarbor('2026-11-27T10:00:00.000Z'), atBay(null));
  expect(messages()).toBe(0);
  await change(atHarbor('2026-11-27T10:30:00.000Z'));
  await expect.element(screen.getByText('A bed at Harbor House is on offer')).toBeVisible();
});

it('offers of several sites are one message, which leads to Today', async () => {
  const { screen, change } = await open(atHarbor(null), atBay(null));
  await change(atHarbor('2026-11-27T10:00:00.000Z'), atBay('2026-11-27T10:00:00.000Z'));
  await expect.element(screen.getByText('2 sites have a bed on offer')).toBeVisible();
  await screen.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/today');
});

it('the waitlist that shows an offer itself is not covered by a message about it', async () => {
  const { screen, change } = await open(atHarbor(null), atBay(null));
  await screen.router.navigate({ to: '/waitlist/$siteId', params: { siteId: harbor.id } });
  await change(atHarbor('2026-11-27T10:00:00.000Z'), atBay(null));
  expect(messages()).toBe(0);
  await change(atHarbor('2026-11-27T10:30:00.000Z'), atBay('2026-11-27T10:30:00.000Z'));
  await expect.element(screen.getByText('A bed at Bay House is on offer')).toBeVisible();
});
