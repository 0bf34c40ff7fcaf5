import { COLOR_RULES, expectNoViolations } from '../lib/axe.ts';
import { findWorld, sitePath, type World } from '../lib/screens/screen.ts';
import { expect, test } from '../lib/test.ts';

/** Screens that staff print as they are. */
const PRINTED: readonly ((world: World) => string)[] = [
  () => '/today',
  () => '/organizations',
  () => '/user-settings',
  ({ site }) => `/organizations/${site.organizationId}`,
  ({ waitlistSite }) => `/waitlist/${waitlistSite.id}`,
  (world) => sitePath(world, 'houses'),
  (world) => sitePath(world, 'reservations'),
  (world) => sitePath(world, 'guests'),
  (world) => sitePath(world, 'users'),
];

test('paper is black on white, also from a dark screen', async ({ openContext, apiAs }) => {
  const world = await findWorld(await apiAs('admin'));
  const context = await openContext('admin', { colorScheme: 'dark' });
  const page = await context.newPage();
  for (const path of PRINTED.map((of) => of(world))) {
    await page.goto(path);
    await expect(page.locator('[data-page-heading]')).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), path).toBe('rgb(255, 255, 255)');
    await expectNoViolations(page, `${path} on paper`, COLOR_RULES);
    await page.emulateMedia({ media: 'screen' });
  }
});
