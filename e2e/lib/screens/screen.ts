import type { Page } from '@playwright/test';
import { MAIN_SITE, WAITLIST_SITE } from '../accounts.ts';
import { type Api, type Bed, type Guest, type Site, takenPlaces, vacantPlaces } from '../api.ts';

/** What the screens of the tests are about. */
export interface World {
  readonly site: Site;
  readonly pending: Guest;
  readonly assigned: Guest;
  /** A bed with a guest, and one without. */
  readonly taken: Bed;
  readonly vacant: Bed;
  /** A site with people on its waitlist. */
  readonly waitlistSite: Site;
}

export async function findWorld(api: Api): Promise<World> {
  const site = await api.siteCalled(MAIN_SITE);
  const guests = await api.guests(site.id);
  const pending = guests.find(({ status }) => status === 'pending');
  const inBed = new Set(takenPlaces(site).map(({ bed }) => bed.guest?.id));
  const assigned = guests.find(({ id }) => inBed.has(id));
  const taken = takenPlaces(site)[0]?.bed;
  const vacant = vacantPlaces(site)[0]?.bed;
  if (!pending || !assigned || !taken || !vacant) throw new Error(`${site.name} is too full or too empty.`);
  const waitlistSite = await api.siteCalled(WAITLIST_SITE);
  return { site, pending, assigned, taken, vacant, waitlistSite };
}

/** One screen: how to get there and, where there is more to see, what to open on it. Names hold in both languages. */
export interface Screen {
  readonly name: string;
  readonly path: (world: World) => string;
  readonly open?: (page: Page, world: World) => Promise<void>;
}

/** Opens a screen and waits until it is there: a heading, and nothing that still loads. */
export async function show(page: Page, screen: Screen, world: World): Promise<void> {
  await page.goto(screen.path(world));
  // Unlike an expectation, which asks ten times a second at most, this is over as soon as it holds.
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor();
  await screen.open?.(page, world);
  await waitUntilLoaded(page);
}

/** Waits until nothing loads any more that can be seen. Parts that are closed are drawn hidden, and load when they are opened. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  const loading = page.locator('[data-skeleton], .mantine-Skeleton-root').filter({ visible: true });
  await loading.first().waitFor({ state: 'hidden' });
}

/** The page of a site with one of its tabs open. */
export function sitePath({ site }: World, tab: string): string {
  return `/organizations/${site.organizationId}/${site.id}?tab=${tab}`;
}
