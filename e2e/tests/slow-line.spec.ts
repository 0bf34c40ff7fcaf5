import type { Page } from '@playwright/test';
import { expect, test } from '../lib/test.ts';

/** Holds every script and style sheet back until the returned function is called. */
async function holdAssets(page: Page): Promise<() => void> {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/**', async (route) => {
    await released;
    await route.continue();
  });
  return () => release?.();
}

/** Sum of the layout shifts so far, as Core Web Vitals count them. */
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const entries = list.getEntries() as (PerformanceEntry & { value: number })[];
          resolve(entries.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // Without a shift the observer says nothing.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );

for (const { path, name, heading } of [
  { path: '/login', name: 'Berth', heading: 'Sign in' },
  { path: '/find', name: 'Find a bed', heading: 'Find a bed' },
]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${path} shows its name before scripts and styles have come, and moves nothing after (${colorScheme})`, async ({
      openContext,
    }) => {
      const page = await (await openContext(null, { colorScheme, viewport: { width: 390, height: 844 } })).newPage();
      const release = await holdAssets(page);
      await page.goto(path, { waitUntil: 'commit' });
      const shell = page.locator('#shell');
      await expect(shell).toContainText(name);
      await expect(shell.locator('svg')).toBeVisible();
      // What was painted, not only parsed.
      await expect
        .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
        .toBe(1);
      const background = await shell.evaluate((element) => getComputedStyle(element).backgroundColor);
      expect(background).toBe(colorScheme === 'dark' ? 'rgb(21, 25, 27)' : 'rgb(246, 248, 248)');
      if (path === '/find') await expect(shell).toContainText('Call 911');
      const sheet = (await page.locator('body > link').first().getAttribute('href')) ?? '';
      release();
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(shell).toHaveCount(0);
      // Styles of a route follow those of all screens, and the theme has the last word over the styles of the kit.
      await expect(page.locator('body > link')).toHaveCount(0);
      await expect(page.locator('head > link[rel=stylesheet]').first()).toHaveAttribute('href', sheet);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
      expect(await shifts(page)).toBeLessThan(0.05);
    });
  }
}

test('whoever asks for less motion sees new colors at once, not level by level', async ({ openContext }) => {
  const page = await (await openContext(null, { reducedMotion: 'reduce' })).newPage();
  await page.goto('/find');
  const heading = page.getByRole('heading', { level: 1, name: 'Find a bed' });
  await expect(heading).toBeVisible();
  const [before, after] = await heading.evaluate((element) => {
    const colors = () => [element, document.body].map((one) => getComputedStyle(one).color).join();
    const light = colors();
    document.documentElement.dataset.mantineColorScheme = 'dark';
    return [light, colors()];
  });
  expect(after).not.toBe(before);
  const running = await page.evaluate(() => document.getAnimations().length);
  expect(running).toBe(0);
});

test('/find speaks the language of the browser before its scripts have come', async ({ openContext }) => {
  const page = await (await openContext(null, { locale: 'es-MX' })).newPage();
  await holdAssets(page);
  await page.goto('/find', { waitUntil: 'commit' });
  await expect(page.locator('#shell').getByText('Encontrar una cama')).toBeVisible();
  await expect(page.locator('#shell').getByText('Find a bed')).toBeHidden();
});
