import type { BrowserContextOptions, Page } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { reserve, vacantPlaces } from '../lib/api.ts';
import { Board } from '../lib/board.ts';
import { expect, test } from '../lib/test.ts';

interface Look {
  readonly name: string;
  readonly context: BrowserContextOptions;
  /** The size of letters that the browser is set to, in CSS pixels. */
  readonly letters: number;
}

/** WCAG 1.4.4 and 1.4.10: a window of 1280 px at 200 %, by zoom and by the size of letters alone. */
const LOOKS: readonly Look[] = [
  { name: 'a zoom', context: { viewport: { width: 640, height: 1600 }, deviceScaleFactor: 2 }, letters: 16 },
  { name: 'letters', context: { viewport: { width: 1280, height: 1600 } }, letters: 32 },
];

for (const { name, context, letters } of LOOKS) {
  test(`names, buttons and the time left are whole in the reservations and on the board at ${name} of 200 %`, async ({
    openContext,
    apiAs,
  }) => {
    const api = await apiAs('admin');
    const site = await api.siteCalled(MAIN_SITE);
    const [place] = vacantPlaces(site);
    if (!place) throw new Error('The demo has too few beds for this test.');
    const page = await (await openContext('intake', context)).newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: letters, fixed: letters } });
    const placed = await reserve(page.request, api, site, 'Wilhelmina');
    await api.command(placed, 'ACCEPTED', place.bed.id);
    const waiting = await reserve(page.request, api, site, 'Maximiliana');

    await page.goto('/reservations');
    await expect(page.getByRole('main').getByRole('link', { name: MAIN_SITE })).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${letters}px`);
    await expectWhole(page, 'the sites');
    const tabs: [tab: string, seen: string][] = [
      ['overview', place.bed.name],
      ['reservations', waiting.code],
      ['guests', placed.code],
    ];
    for (const [tab, seen] of tabs) {
      await page.goto(`/reservations/${site.id}?tab=${tab}`);
      await expect(page.getByRole('main').getByText(seen, { exact: false }).first()).toBeVisible();
      await expectWhole(page, tab);
    }
    const accept = page.getByRole('button', { name: `Accept ${waiting.displayName}` });
    await page.goto(`/reservations/${site.id}?tab=reservations`);
    await accept.scrollIntoViewIfNeeded();
    await expect(accept).toBeInViewport({ ratio: 1 });
    const board = new Board(page);
    await board.open(site.id);
    await expect(board.guestIn(place, placed.displayName)).toBeVisible();
    await expect(board.waiting.getByText('left').first()).toBeVisible();
    await expectWhole(page, 'the board');
    await page.getByRole('button', { name: `Move ${placed.displayName}` }).click();
    await expectWhole(page, 'the board while a guest is moved');

    await api.command(placed, 'DISCHARGED');
    await api.command(waiting, 'REJECTED');
  });
}

/** Every text of the screen is drawn whole: within the window, within each box that cuts, and with room for its letters. */
async function expectWhole(page: Page, where: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const wrong = await page.evaluate(() => {
    const shown = document.querySelector('[role=dialog]') ?? document.querySelector('main') ?? document.body;
    const found: string[] = [];
    for (const element of shown.querySelectorAll('*')) {
      const text = Array.from(element.childNodes, (node) => (node.nodeType === 3 ? (node.textContent ?? '') : '')).join(
        '',
      );
      // The line of tabs scrolls sideways and keeps the chosen one in sight.
      const isLeftOut = element.closest('.berth-hidden, .mantine-VisuallyHidden-root, [role=tablist], select') !== null;
      if (text.trim() === '' || isLeftOut || !element.checkVisibility({ visibilityProperty: true })) continue;
      const note = (what: string) => found.push(`"${text.trim()}" ${what}`);
      const { fontSize, lineHeight } = getComputedStyle(element);
      if (parseFloat(lineHeight) < parseFloat(fontSize)) note(`has lines of ${lineHeight} for letters of ${fontSize}`);
      const range = document.createRange();
      range.selectNodeContents(element);
      for (const line of range.getClientRects()) {
        if (line.width === 0) continue;
        if (line.left < -1 || line.right > innerWidth + 1) note('reaches out of the window');
        for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(box);
          const edge = box.getBoundingClientRect();
          if (overflowX !== 'visible' && (line.left < edge.left - 2 || line.right > edge.right + 2))
            note('is cut at a side');
          const cutsBelow = overflowY === 'hidden' || overflowY === 'clip';
          // The box of a line reaches over its letters by a few pixels.
          const middle = (line.top + line.bottom) / 2;
          if (cutsBelow && (middle < edge.top || middle > edge.bottom)) note('is cut above or below');
        }
      }
    }
    return [...new Set(found)];
  });
  expect(wrong, where).toEqual([]);
}
