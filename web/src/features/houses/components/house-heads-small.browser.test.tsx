import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bed, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import {
  expectApart,
  expectNoSidewaysScroll,
  expectWhole,
  restoreScreen,
  SMALL_SCREENS,
  useSmallScreen,
} from '@/testing/small-screen';
import { BedsOverview } from './beds-overview';
import { HousesTab } from './houses-tab';

afterEach(restoreScreen);

const beds = (from: string) => [bed(`${from}1`, { disabled: true }), ...[2, 3, 4].map((n) => bed(`${from}${n}`))];
const NAMES = ['House #1', 'Cliff House', 'Magnolia House', 'Seven Springs House'];
const site = siteDetails(NAMES.map((name, index) => room(String(index), beds(String(index)), { name })));
const owner = currentUser({ role_owner_organization_ids: 'o1' });

const nothing = () => undefined;
const VIEWS = {
  'houses tab': <HousesTab site={site} beds="all" onBedsChange={nothing} onTypeChange={nothing} />,
  'overview of the reservations': <BedsOverview site={site} />,
};

describe.each(SMALL_SCREENS)('at $width px with letters of $letters %', (screenSize) => {
  beforeEach(() => useSmallScreen(screenSize));

  it.each(['houses tab', 'overview of the reservations'] as const)(
    'the %s shows name, count and menu of each house whole',
    async (view) => {
      const screen = await renderView(VIEWS[view], { user: owner });
      await expect.element(screen.getByRole('heading', { name: NAMES[0] })).toBeInTheDocument();
      for (const name of NAMES) {
        const region = screen.getByRole('region', { name });
        const shown = region.getByText(name, { exact: true }).element();
        // The browser draws no house outside the window.
        shown.scrollIntoView();
        await expect.poll(() => shown.getBoundingClientRect().height).toBeGreaterThan(0);
        const menus = region.getByRole('button', { name: `Actions for ${name}`, exact: true }).elements();
        expect(menus).toHaveLength(view === 'houses tab' ? 1 : 0);
        const parts = [shown, region.getByText('3 of 4 vacant · 1 disabled').element(), ...menus];
        for (const part of parts) expectWhole(part);
        expectApart(...parts);
      }
      expectNoSidewaysScroll();
    },
  );
});
