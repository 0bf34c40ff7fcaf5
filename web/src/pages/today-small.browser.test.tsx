import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { bed, room, service, siteDetails } from '@/testing/bed-builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, serve } from '@/testing/server';
import {
  expectApart,
  expectButtonsWhole,
  expectNoSidewaysScroll,
  expectWhole,
  restoreScreen,
  SMALL_SCREENS,
  useSmallScreen,
} from '@/testing/small-screen';
import {
  admin,
  bay,
  harbor,
  inMinutes,
  move,
  open,
  S1,
  serveToday,
  setUpToday,
  shift,
  siteOf,
  stay,
  tearDownToday,
  waiting,
} from '@/testing/today-world';
import { OrganizationsPage } from './organizations-page';

beforeEach(setUpToday);
afterEach(tearDownToday);
afterEach(restoreScreen);

const laguna = { ...harbor, name: 'Harbor Light Laguna Beach' };
const anaheim = { ...bay, name: 'Harbor Light Anaheim Detox' };
const detox = service('medical-detox', 'Medical detox', 'General');
const placed = {
  status: 'accepted',
  assignedBedId: 'b',
  bed: { id: 'b', name: 'Sober Living #10', type: 'Detox', index: 0, imagePath: null },
  room: { id: 'r', name: 'Harbor House', imagePath: null },
} as const;
const today = shift({
  waiting: [
    waiting('WCV66H', 'Esperanza', { expiresAt: inMinutes(14 * 60 + 25), services: [detox] }, laguna),
    waiting('BBTHMR', 'Maximiliano Alejandro', { expiresAt: null, phone: '+17145550134' }, anaheim),
  ],
  arriving: [waiting('9Z54BT', 'Bartholomew', { ...placed, isArriving: true }, laguna)],
  sites: [siteOf(laguna, 9, 9), siteOf(anaheim, 9, 4)],
  moves: [
    move('declined', { guest: waiting('DXC5JY', 'Andre', { status: 'rejected', rejectedAt: inMinutes(-30) }).guest }),
  ],
  soon: [stay('X84GTQ', 'Wilhelmina', 1)],
  soonTotal: 1,
});

/** Every name, time and button of each row, and nothing of them on another. */
function expectRows() {
  const rows = page.getByRole('listitem').elements();
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) {
    const candidates = [...row.querySelectorAll('a, time, button, [data-urgent]:not([aria-hidden])')];
    const parts = candidates.filter((part) => part.checkVisibility());
    for (const part of parts) expectWhole(part);
    expectApart(...parts);
  }
}

/** The dialog that gives the first one who waits a bed. */
async function openAccept() {
  const [first] = today.waiting;
  if (!first) throw new Error('Nobody waits.');
  const site = siteDetails([room('1', [bed('a', { name: 'Sober Living #10' }), bed('b')])], { id: S1 });
  serve(
    answerGet(`/api/Sites/${S1}`, site),
    answerGet('/api/Guests', onePage([first.guest])),
    answerGet(`/api/Guests/${first.guest.id}`, first.guest),
  );
  const { screen } = await open(today, admin);
  await screen.getByRole('button', { name: /^Accept Esperanza/ }).click();
  const dialog = screen.getByRole('dialog', { name: /^Accept Esperanza/ });
  await expect.element(dialog.getByRole('button', { name: 'Accept into this bed' })).toBeInTheDocument();
  return dialog;
}

describe.each(SMALL_SCREENS)('at $width px with letters of $letters %', (screenSize) => {
  beforeEach(() => useSmallScreen(screenSize));

  it('Today shows names, times and buttons whole', async () => {
    const { screen } = await open(today, admin);
    await expect.element(screen.getByRole('button', { name: /^Arrived: Bartholomew/ })).toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: /^Undo for Andre/ })).toBeInTheDocument();
    expectRows();
    for (const { site } of today.waiting) expectWhole(screen.getByText(site.name).first().element());
    expectNoSidewaysScroll();
  });

  it('the dialog to accept has its cross, its buttons and the guest on the screen', async () => {
    const dialog = await openAccept();
    const close = dialog.getByRole('button', { name: 'Close' }).element();
    // The dialog grows while it opens.
    await expect.poll(() => close.getBoundingClientRect().right).toBeLessThanOrEqual(window.innerWidth);
    expectWhole(close);
    expectButtonsWhole(dialog.element());
    expectNoSidewaysScroll();
  });

  it('the card of Today shows them, too', async () => {
    serveToday({ today });
    serve(answerGet('/api/Organizations', [organization('Bay', { countOfPending: 12, siteCount: 20 })]));
    const screen = await renderView(
      <Suspense>
        <OrganizationsPage type="organizations" />
      </Suspense>,
      { user: admin },
    );
    await expect.element(screen.getByRole('button', { name: /^Accept Esperanza/ })).toBeInTheDocument();
    expectRows();
    for (const { site } of today.waiting) expectWhole(screen.getByText(site.name).first().element());
    expectNoSidewaysScroll();
  });
});

it('the time that is left stays inside the card of the guest, beside the beds', async () => {
  const dialog = await openAccept();
  const left = dialog.getByText(/14 h \d+ min left/).element();
  // The dialog grows while it opens.
  await expect.poll(() => dialog.element().getBoundingClientRect().width).toBe(800);
  expectWhole(left);
  expect(left.getBoundingClientRect().right).toBeLessThanOrEqual(
    left.closest('dd')?.getBoundingClientRect().right ?? 0,
  );
});
