// P13: the board of 500 beds in Chromium, its processor slowed four times: first render, longest task, frames of a drag.
// Called by the runner: node board.mjs ADDRESS SITE TOKEN MODULES SLOWER. Prints one line of JSON.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [address, site, token, modules, slower] = process.argv.slice(2);
const { chromium } = createRequire(path.join(modules, 'package.json'))('@playwright/test');
const known = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.BERTH_CHROMIUM ?? known.find((file) => existsSync(file));
const args = ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
if (process.getuid?.() === 0) args.push('--no-sandbox');

const browser = await chromium.launch({ executablePath, args });
const context = await browser.newContext({
  viewport: { width: 1360, height: 900 },
  locale: 'en-US',
  reducedMotion: 'reduce',
  extraHTTPHeaders: { authorization: `Bearer ${token}` },
});
const page = await context.newPage();
const session = await context.newCDPSession(page);

// Caches warm: what counts is the board and not the download.
await page.goto(`${address}/faq`);
await page.waitForLoadState('networkidle');
await session.send('Emulation.setCPUThrottlingRate', { rate: Number(slower) });
await page.addInitScript(() => {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: 'longtask',
    buffered: true,
  });
});

const begun = performance.now();
await page.goto(`${address}/reservations/${site}?tab=guests&open=board`);
const dialog = page.getByRole('dialog', { name: 'Move Guests' }).first();
await dialog.getByRole('listitem').first().waitFor({ timeout: 120_000 });
await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
const render = performance.now() - begun;
await page.waitForTimeout(3000);
const load = await page.evaluate(() => window.tasks.splice(0));
const beds = await dialog.getByRole('listitem').count();

// A guest is lifted and carried over the beds on the screen, a frame at a time, as fast as the page paints.
const boxes = [];
for (const item of (await dialog.getByRole('listitem').all()).slice(0, 40)) {
  const box = await item.boundingBox();
  if (box && box.y > 150 && box.y + box.height < 880) boxes.push(box);
}
const handle = await dialog
  .getByRole('listitem')
  .filter({ has: page.locator('[class*=andle], [class*=guest], button') })
  .evaluateAll((items) => {
    const seen = items.map((item) => item.getBoundingClientRect()).findIndex((box) => box.top > 150 && box.bottom < 860);
    return Math.max(0, seen);
  });
const start = boxes[Math.min(handle, boxes.length - 1)];
await page.evaluate(() => {
  window.frames_ = [];
  let last = performance.now();
  const tick = (now) => {
    window.frames_.push(now - last);
    last = now;
    window.handle_ = requestAnimationFrame(tick);
  };
  window.handle_ = requestAnimationFrame(tick);
});
await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
await page.mouse.down();
await page.mouse.move(start.x + start.width / 2 + 8, start.y + start.height / 2 + 8);
await page.waitForTimeout(500);
await page.evaluate(() => window.frames_.splice(0));
for (const box of boxes) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 12 });
const frames = await page.evaluate(() => {
  cancelAnimationFrame(window.handle_);
  return window.frames_;
});
await page.keyboard.press('Escape');
await page.mouse.up();
const drag = await page.evaluate(() => window.tasks.splice(0));
await browser.close();

const sorted = [...frames].sort((left, right) => left - right);
console.log(
  JSON.stringify({
    beds,
    'first render, ms': render,
    'longest task, ms': Math.max(0, ...load),
    'long tasks of the load': load.length,
    'drag frame p50, ms': sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    'drag frame p95, ms': sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    'drag frames': sorted.length,
    'long tasks of the drag': drag.length,
  }),
);
