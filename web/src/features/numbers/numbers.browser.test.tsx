import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { changeLanguage } from '@/i18n/i18n';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { printedSheets } from '@/testing/print';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import {
  expectBeside,
  expectButtonsWhole,
  expectNoSidewaysScroll,
  expectWhole,
  restoreScreen,
  SMALL_SCREENS,
  useSmallScreen,
} from '@/testing/small-screen';
import { NumbersSection } from './components/numbers-section';
import type { NumbersSearch } from './numbers-search';

beforeEach(() => page.viewport(1360, 900));

const bands = (ends: readonly number[], counts: readonly number[]) =>
  counts.map((count, index) => ({ upTo: ends[index] ?? null, count }));

function numbers(fields: Partial<Schemas['Numbers']> = {}): Schemas['Numbers'] {
  return {
    from: '2026-11-01',
    to: '2026-11-02',
    occupancy: {
      share: 0.625,
      days: [
        { date: '2026-11-01', occupied: 2, enabled: 4, share: 0.5 },
        { date: '2026-11-02', occupied: 2.58, enabled: 3.5, share: 0.7371 },
      ],
    },
    lengthOfStay: {
      guests: 4,
      medianDays: 8.5,
      averageDays: 12,
      bands: bands([7, 30, 60, 90], [2, 1, 0, 0, 1]),
    },
    decisionsFromSearch: {
      decisions: 3,
      medianMinutes: 125,
      ninetiethMinutes: 600,
      bands: bands([60, 240, 720, 1440], [1, 1, 1, 0, 0]),
    },
    decisionsByHand: {
      decisions: 2,
      medianMinutes: 5,
      ninetiethMinutes: 9,
      bands: bands([60, 240, 720, 1440], [2, 0, 0, 0, 0]),
    },
    holds: { ended: 10, accepted: 5, declined: 2, cancelled: 1, expired: 2, expiredShare: 0.2 },
    declineReasons: { guests: 5, chosen: [], listed: [{ reason: 'No answer.', guests: 3 }], other: 1, none: 1 },
    dischargeReasons: { guests: 0, chosen: [], listed: [], other: 0, none: 0 },
    ...fields,
  };
}

const NOTHING = numbers({
  occupancy: { share: null, days: [{ date: '2026-11-01', occupied: 0, enabled: 0, share: null }] },
  lengthOfStay: { guests: 0, medianDays: null, averageDays: null, bands: bands([7, 30, 60, 90], [0, 0, 0, 0, 0]) },
  decisionsFromSearch: { decisions: 0, medianMinutes: null, ninetiethMinutes: null, bands: bands([60], [0, 0]) },
  decisionsByHand: { decisions: 0, medianMinutes: null, ninetiethMinutes: null, bands: bands([60], [0, 0]) },
  holds: { ended: 0, accepted: 0, declined: 0, cancelled: 0, expired: 0, expiredShare: null },
  declineReasons: { guests: 0, chosen: [], listed: [], other: 0, none: 0 },
});

interface Opening {
  search?: NumbersSearch;
  answer?: (query: URLSearchParams) => Response;
}

/** The numbers of a site with an address of their own; `asked` are the ranges that the server was asked for, and `goBack` changes the address. */
async function open({ search = {}, answer = () => HttpResponse.json(numbers()) }: Opening = {}) {
  const asked: string[] = [];
  serve(
    http.get('/api/Sites/s1/numbers', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      return answer(searchParams);
    }),
  );
  let goBack: (before: NumbersSearch) => void = () => undefined;
  function Page() {
    const [state, setState] = useState<NumbersSearch>(search);
    useEffect(() => {
      goBack = setState;
    }, []);
    return (
      <NumbersSection
        scope={{ kind: 'site', id: 's1' }}
        place={{ name: 'Harbor House', organizationName: 'Harbor Recovery', timeZone: 'America/Los_Angeles' }}
        zone="Days in Pacific Time."
        search={state}
        onSearch={(changes) => setState((before) => ({ ...before, ...changes }))}
      />
    );
  }
  const screen = await renderView(<Page />);
  return Object.assign(screen, { asked, goBack: (before: NumbersSearch) => goBack(before) });
}

const cellsOf = (table: Element) =>
  [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map(({ textContent }) => textContent));

it('the numbers stand in tables beside their charts', async () => {
  const screen = await open();
  await expect.element(screen.getByText('Nov 1, 2026 to Nov 2, 2026. Days in Pacific Time.')).toBeVisible();
  const rows = (name: string) => cellsOf(screen.getByRole('table', { name, exact: true }).element());
  expect(rows('Occupancy by day')).toEqual([
    ['Nov 2, 2026', '2.6', '3.5', '74%'],
    ['Nov 1, 2026', '2.0', '4.0', '50%'],
  ]);
  expect(rows('Length of stay')).toEqual([
    ['1 to 7 days', '2', '50%'],
    ['8 to 30 days', '1', '25%'],
    ['31 to 60 days', '0', '0%'],
    ['61 to 90 days', '0', '0%'],
    ['91 days or more', '1', '25%'],
  ]);
  expect(rows('Time to decision')).toEqual([
    ['Up to 1 hour', '1', '2'],
    ['Up to 4 hours', '1', '0'],
    ['Up to 12 hours', '1', '0'],
    ['Up to 24 hours', '0', '0'],
    ['More than 24 hours', '0', '0'],
  ]);
  expect(rows('How holds ended')).toEqual([
    ['Guest accepted', '5', '50%'],
    ['Guest declined', '2', '20%'],
    ['Cancelled by the guest', '1', '10%'],
    ['No decision in time', '2', '20%'],
  ]);
  expect(rows('Why guests were declined')).toEqual([
    ['No answer.', '3', '60%'],
    ['Other reasons', '1', '20%'],
    ['No reason given', '1', '20%'],
  ]);
  const facts = [...screen.container.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(facts).toEqual([
    'Occupancy on these days63%',
    'Discharged guests4',
    'Median days8.5',
    'Average days12.0',
    'Median (from the search)2 hr and 5 min',
    '90% decided within (from the search)10 hr',
    'Median (added by hand)5 min',
    '90% decided within (added by hand)9 min',
    'Holds that expired20%',
    'Holds that ended10',
  ]);
  await expect.poll(() => screen.container.querySelectorAll('figure').length).toBe(5);
  await expectNoViolations();
});

it('figures without anything to count say so', async () => {
  const screen = await open({ answer: () => HttpResponse.json(NOTHING) });
  for (const text of [
    'There were no enabled beds on these days.',
    'No guest was discharged on these days.',
    'No guest was accepted or declined on these days.',
    'No hold ended on these days.',
    'No guest was declined or discharged on these days.',
  ]) {
    await expect.element(screen.getByText(text)).toBeVisible();
  }
  expect(screen.getByRole('table').elements()).toEqual([]);
});

it('other days are chosen by their number, or typed and shown by the button or by Enter', async () => {
  const screen = await open();
  await expect.element(screen.getByRole('table', { name: 'Length of stay' })).toBeVisible();
  await screen.getByText('90 days', { exact: true }).click();
  await expect.poll(() => screen.asked).toEqual(['days=30', 'days=90']);
  await screen.getByText('Custom dates').click();
  // They begin with the days that are shown.
  await expect.element(screen.getByLabelText('First day')).toHaveValue('2026-11-01');
  await screen.getByLabelText('First day').fill('2026-10-05');
  expect(screen.asked).toHaveLength(2);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => screen.asked.at(-1)).toBe('from=2026-10-05&to=2026-11-02');
  await screen.getByLabelText('Last day').fill('2026-10-31');
  await screen.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => screen.asked.at(-1)).toBe('from=2026-10-05&to=2026-10-31');
});

it("days of one's own keep the focus where it is when they are shown, on a phone too; others from outside replace them", async () => {
  await page.viewport(390, 844);
  const screen = await open({ search: { from: '2026-11-01', to: '2026-11-02' } });
  const [first, last] = [screen.getByLabelText('First day'), screen.getByLabelText('Last day')];
  const show = screen.getByRole('button', { name: 'Show' });
  await first.fill('2026-10-05');
  await show.click();
  await expect.poll(() => screen.asked.at(-1)).toBe('from=2026-10-05&to=2026-11-02');
  await expect.element(show).toHaveFocus();
  await last.fill('2026-10-31');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => screen.asked.at(-1)).toBe('from=2026-10-05&to=2026-10-31');
  await expect.element(last).toHaveFocus();
  screen.goBack({ from: '2026-09-01', to: '2026-09-30' });
  await expect.element(first).toHaveValue('2026-09-01');
  await expect.element(last).toHaveValue('2026-09-30');
});

it('a day of which only a part is typed is not left out: its field says so', async () => {
  const screen = await open({ search: { from: '2026-11-01', to: '2026-11-02' } });
  const first = screen.getByLabelText('First day');
  await expect.element(first).toHaveValue('2026-11-01');
  const asked = [...screen.asked];
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard('{Delete}{Enter}');
  await expect.element(first).toHaveAccessibleDescription('Enter a complete, valid date.');
  await expect.element(first).toHaveFocus();
  await expectNoViolations();
  expect(screen.asked).toEqual(asked);
  await userEvent.keyboard('10');
  await expect.element(first).not.toHaveAccessibleDescription();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => screen.asked.at(-1)).toBe('from=2026-10-01&to=2026-11-02');
});

it('a year of more than four digits is told at its field, and not asked for', async () => {
  const screen = await open({ search: { from: '2026-11-01', to: '2026-11-02' } });
  const first = screen.getByLabelText('First day');
  await expect.element(first).toHaveValue('2026-11-01');
  const asked = [...screen.asked];
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard('1101122026{Enter}');
  await expect.element(first).toHaveValue('122026-11-01');
  await expect.element(first).toHaveAccessibleDescription('Enter a year from 2000 to 2999.');
  expect(screen.asked).toEqual(asked);
});

describe("days of one's own stay in their row while one of them has an error", () => {
  /** Shows an error at the first day; `boxes` are those of the inputs and the button, before and after it. */
  async function fail(width: number) {
    await page.viewport(width, 844);
    const screen = await open({ search: { from: '2026-11-01', to: '2026-11-02' } });
    const first = screen.getByLabelText('First day');
    await expect.element(first).toHaveValue('2026-11-01');
    const parts = [first, screen.getByLabelText('Last day'), screen.getByRole('button', { name: 'Show' })];
    const measure = () => parts.map((part) => part.element().getBoundingClientRect());
    const before = measure();
    (first.element() as HTMLElement).focus();
    await userEvent.keyboard('{Delete}{Enter}');
    await expect.element(first).toHaveAccessibleDescription('Enter a complete, valid date.');
    return { before, after: measure(), screen };
  }

  it('on a computer, with the button beside them', async () => {
    const { before, after, screen } = await fail(1280);
    expect(after).toEqual(before);
    expectBeside(screen.getByRole('button', { name: 'Show' }).element(), screen.getByLabelText('Last day').element());
  });

  // Between the margins of the page.
  it.each([358, 328])('on a phone, with the button below them, %s px', async (width) => {
    const { before, after } = await fail(width);
    const [first, last, button] = after;
    expect([first, last]).toEqual(before.slice(0, 2));
    expect(last?.top).toBe(first?.top);
    expect(button?.left).toBe(first?.left);
    expect((before[2]?.top ?? 0) - (first?.bottom ?? 0)).toBe(12);
  });
});

it('days that cannot be shown say why at their field', async () => {
  const message = 'Choose today or an earlier day.';
  const screen = await open({
    search: { from: '2026-11-01', to: '2027-01-01' },
    answer: () => problem(422, 'Check the fields.', { errors: [{ pointer: '/to', message }] }),
  });
  await expect.element(screen.getByText(message)).toBeVisible();
  await expect.element(screen.getByLabelText('Last day')).toHaveAccessibleDescription(message);
  await expect.element(screen.getByText('Choose other days.')).toBeVisible();
});

it('numbers that cannot be loaded are asked for again', async () => {
  let isUp = false;
  const screen = await open({
    answer: () => (isUp ? HttpResponse.json(numbers()) : problem(503, 'The service is busy.')),
  });
  await expect.element(screen.getByText('The service is busy.')).toBeVisible();
  isUp = true;
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByRole('table', { name: 'Length of stay' })).toBeVisible();
});

it('each figure is downloaded for the days that are shown', async () => {
  const screen = await open({ search: { days: 90 } });
  await screen.getByRole('button', { name: 'Download How holds ended' }).click();
  const hrefs = screen
    .getByRole('menuitem')
    .elements()
    .map((item) => item.getAttribute('href'));
  expect(hrefs).toEqual([
    '/api/Sites/s1/numbers.xlsx?days=90&figure=holds&language=en',
    '/api/Sites/s1/numbers.csv?days=90&figure=holds&language=en',
  ]);
});

it('the table stands below its chart on a phone, and nothing is wider than the page', async () => {
  await page.viewport(390, 800);
  const screen = await open();
  await expect.poll(() => screen.container.querySelectorAll('figure').length).toBe(5);
  const chart = screen.container.querySelector('figure')?.getBoundingClientRect();
  const table = screen.getByRole('table', { name: 'Occupancy by day' }).element().getBoundingClientRect();
  expect(table.top).toBeGreaterThanOrEqual(chart?.bottom ?? Infinity);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  // The margins of the page stand around it.
  await page.viewport(358, 800);
  const sideways = screen
    .getByRole('region')
    .elements()
    .filter((region) => region.scrollWidth > region.clientWidth);
  expect(sideways.map((region) => region.getAttribute('aria-label'))).toEqual([]);
});

/** The widths of US Letter between its margins, upright and on its side, in CSS pixels. */
const PAPER_WIDTHS = [710, 950];

it('is printed with the place, the days, the time in its zone and who printed it', async () => {
  const screen = await open();
  await expect.poll(() => screen.container.querySelectorAll('figure').length).toBe(5);
  const [sheet, ...others] = printedSheets();
  expect(others).toEqual([]);
  expect(sheet).toMatch(
    /^Numbers: Harbor House.*Harbor Recovery · Nov 1, 2026 to Nov 2, 2026\. Days in Pacific Time\./,
  );
  expect(sheet).toMatch(/As of .* P[SD]T, printed by Ines Moreno.*Occupancy by day.*Reasons/);
});

const papers = PAPER_WIDTHS.flatMap((width) => (['en', 'es'] as const).map((language) => [width, language] as const));

it.each(papers)(
  'no column is cut on paper %s px wide, and no day takes two lines, in the language %s',
  async (width, language) => {
    await page.viewport(width, 900);
    const screen = await open();
    await expect.poll(() => screen.container.querySelectorAll('figure').length).toBe(5);
    await changeLanguage(language);
    await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
    window.dispatchEvent(new Event('beforeprint'));
    try {
      const tables = [...document.querySelectorAll('[data-print-report] table')];
      expect(tables.length).toBe(5);
      for (const table of tables) {
        for (const cell of table.querySelectorAll<HTMLElement>('th, td')) {
          expect({ of: cell.textContent, cut: cell.scrollWidth - cell.clientWidth }).toEqual({
            of: cell.textContent,
            cut: 0,
          });
          const { left, right } = cell.getBoundingClientRect();
          expect([left >= 0, right <= width], `${cell.textContent}: ${left} to ${right}`).toEqual([true, true]);
        }
      }
      const [byDay] = tables;
      expect(byDay?.getBoundingClientRect().width, 'the whole width of the sheet').toBeGreaterThan(0.9 * width);
      const lines = [...(byDay?.querySelectorAll('tbody th') ?? [])].map((day) => {
        const text = document.createRange();
        text.selectNodeContents(day);
        return text.getClientRects().length;
      });
      expect(lines).toEqual([1, 1]);
    } finally {
      window.dispatchEvent(new Event('afterprint'));
      await cdp().send('Emulation.setEmulatedMedia', { media: '' });
      await changeLanguage('en');
    }
  },
);

it('prints its charts in the light colors, also from the dark', async () => {
  writePreference('colorScheme', 'dark');
  await open();
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe('dark');
  const bar = () => getComputedStyle(document.documentElement).getPropertyValue('--berth-occupied').trim();
  expect(bar()).toBe('#b9cbdd');
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
  try {
    expect(bar()).toBe('#33475b');
  } finally {
    await cdp().send('Emulation.setEmulatedMedia', { media: '' });
    writePreference('colorScheme', 'light');
  }
});

describe.each(SMALL_SCREENS)('at $width px with letters of $letters %', (screenSize) => {
  beforeEach(() => useSmallScreen(screenSize));
  afterEach(restoreScreen);

  it('choices and downloads are whole, and the page does not scroll sideways', async () => {
    const screen = await open({ search: { from: '2026-11-01', to: '2026-11-02' } });
    await expect.element(screen.getByRole('button', { name: 'Download Reasons' })).toBeInTheDocument();
    expectButtonsWhole();
    for (const name of ['30 days', '90 days', '365 days', 'Custom dates']) {
      expectWhole(screen.getByText(name, { exact: true }).element());
    }
    expectNoSidewaysScroll();
  });
});
