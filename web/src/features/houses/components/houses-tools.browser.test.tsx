import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { bed, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import type { BedFilter } from '../houses.utils';
import { HousesTab } from './houses-tab';

type BedType = Schemas['Bed']['type'];

beforeEach(() => page.viewport(1360, 900));
afterEach(() => {
  clearPreference('compactBeds');
  writePreference('colorScheme', 'light');
  window.scrollTo(0, 0);
});

const owner = currentUser({ role_owner_organization_ids: 'o1' });

/** Six houses of twelve beds: in each, four of every type, and one with a guest. */
function village(houses = 6) {
  const types = ['Detox', 'Treatment', 'Sober Living'] as const;
  const rooms = Array.from({ length: houses }, (_, house) => {
    const beds = Array.from({ length: 12 }, (_bed, index) => {
      const id = `${house}-${index}`;
      const guest = index === 0 ? guestShort(id, { displayName: `Guest ${house} G${house}G` }) : null;
      return bed(id, { name: `Bed #${index + 1}`, type: types[index % 3] ?? 'Detox', guest });
    });
    return room(String(house), beds, { name: `House #${house + 1}` });
  });
  return siteDetails(rooms);
}

function Tab({ site }: { site: Schemas['SiteDetails'] }) {
  const [beds, setBeds] = useState<BedFilter>('all');
  const [type, setType] = useState<BedType>();
  return (
    <>
      <div
        style={{
          position: 'sticky',
          top: 0,
          zIndex: 100,
          height: 56,
          background: 'var(--berth-surface)',
          color: 'var(--mantine-color-text)',
        }}
      >
        Berth
      </div>
      <HousesTab site={site} beds={beds} onBedsChange={setBeds} type={type} onTypeChange={setType} />
    </>
  );
}

const open = (site = village()) => renderView(<Tab site={site} />, { user: owner });
/** Opens the list of houses and chooses one by key. */
async function goTo(name: string) {
  (page.getByRole('button', { name: 'Go to house' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const items = page.getByRole('menuitem');
  await expect.element(items.first()).toHaveFocus();
  const place = items.elements().findIndex(({ textContent }) => textContent === name);
  await userEvent.keyboard(`${'{ArrowDown}'.repeat(place)}{Enter}`);
}

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const top = (name: string) => heading(name).element().getBoundingClientRect().top;

describe('many houses', () => {
  it('are reached by name: the house is at the top, below the header, with the focus on its heading', async () => {
    await open();
    await goTo('House #311 of 12 vacant');
    await expect.element(heading('House #3')).toHaveFocus();
    await expect.poll(() => top('House #3')).toBeLessThan(140);
    expect(top('House #3')).toBeGreaterThanOrEqual(56);
  });

  it('keep the heading in sight while their beds scroll by', async () => {
    await open(village(4));
    const section = heading('House #2').element().closest('section');
    section?.scrollIntoView({ block: 'start' });
    window.scrollBy(0, 200);
    await expect.poll(() => Math.round(top('House #2'))).toBeLessThan(80);
    expect(top('House #2')).toBeGreaterThanOrEqual(56);
  });

  it('fold one by one, by key too, and keep their counts; all fold and unfold at once', async () => {
    const screen = await open();
    const fold = screen.getByRole('button', { name: 'House #2', exact: true });
    await expect.element(fold).toHaveAttribute('aria-expanded', 'true');
    (fold.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(fold).toHaveAttribute('aria-expanded', 'false');
    await expect.element(fold).toHaveFocus();
    const house = screen.getByRole('region', { name: 'House #2' });
    await expect.element(house).toHaveTextContent('11 of 12 vacant');
    expect(house.getByRole('listitem').elements()).toHaveLength(0);
    await screen.getByRole('button', { name: 'Collapse all' }).click();
    await expect.poll(() => screen.getByRole('listitem').elements().length).toBe(0);
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Expand all' }).click();
    await expect.poll(() => screen.getByRole('listitem').elements().length).toBeGreaterThan(70);
  });

  it('unfold when somebody goes to them or adds beds to them', async () => {
    const screen = await open();
    await screen.getByRole('button', { name: 'Collapse all' }).click();
    await goTo('House #311 of 12 vacant');
    await expect.element(heading('House #3')).toHaveFocus();
    const isOpen = (name: string) => screen.getByRole('button', { name, exact: true }).element().ariaExpanded;
    expect([isOpen('House #3'), isOpen('House #4')]).toEqual(['true', 'false']);
    await screen.getByRole('button', { name: 'Actions for House #4' }).click();
    await screen.getByRole('menuitem', { name: 'Add Bed' }).click();
    await expect.poll(() => isOpen('House #4')).toBe('true');
  });

  it('have no such tools where there are few', async () => {
    const screen = await open(village(3));
    await expect.element(heading('House #3')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Go to house' }).elements()).toHaveLength(0);
    expect(screen.getByRole('button', { name: 'Collapse all' }).elements()).toHaveLength(0);
    expect(screen.getByRole('button', { name: 'House #1', exact: true }).elements()).toHaveLength(0);
  });
});

describe('the beds of one type', () => {
  it('are listed alone; the numbers of the tabs and of the houses are theirs, also in the report', async () => {
    vi.spyOn(window, 'print').mockImplementation(() => void window.dispatchEvent(new Event('beforeprint')));
    const screen = await open();
    await screen.getByRole('combobox', { name: 'Bed type' }).selectOptions('Detox');
    await expect.element(screen.getByRole('tab', { name: 'All Beds 24' })).toBeVisible();
    await expect.element(screen.getByRole('tab', { name: 'Vacant 18' })).toBeVisible();
    await expect.element(screen.getByRole('region', { name: 'House #1' })).toHaveTextContent('3 of 4 vacant');
    expect(
      screen
        .getByText('Treatment', { exact: true })
        .elements()
        .filter((found) => found.tagName !== 'OPTION'),
    ).toEqual([]);
    // A house that is shown in part is not edited.
    expect(screen.getByRole('button', { name: 'Actions for House #1' }).elements()).toHaveLength(0);
    await screen.getByRole('button', { name: 'Print Report' }).click();
    await expect.element(page.getByText('Listed below: All Beds, Detox')).toBeInTheDocument();
    window.dispatchEvent(new Event('afterprint'));
  });

  it('that are none lead back to all beds', async () => {
    const full = bed('a', { guest: guestShort('ana') });
    const site = siteDetails([room('1', [full, bed('b', { type: 'Treatment' })])]);
    const screen = await open(site);
    await screen.getByRole('combobox', { name: 'Bed type' }).selectOptions('Detox');
    await screen.getByRole('tab', { name: 'Vacant 0' }).click();
    await expect.element(screen.getByText('No Detox beds here')).toBeVisible();
    await screen.getByRole('button', { name: 'Show All Beds' }).click();
    await expect.element(screen.getByText('Bed b')).toBeVisible();
    await expect.element(screen.getByRole('combobox', { name: 'Bed type' })).toHaveValue('');
  });
});

describe('compact beds', () => {
  it('take little more than half the room, keep number, state and guest, and are remembered on the device', async () => {
    const screen = await open();
    const height = () => document.documentElement.scrollHeight;
    await expect.element(heading('House #6')).toBeInTheDocument();
    const before = height();
    await screen.getByRole('switch', { name: 'Compact' }).click();
    await expect.poll(height).toBeLessThan(before * 0.6);
    const tile = screen.getByRole('region', { name: 'House #1' }).getByRole('listitem').first();
    for (const text of ['#1', 'Occupied', 'Guest 0 G0G']) await expect.element(tile).toHaveTextContent(text);
    await expectNoViolations();
    expect(readPreference('compactBeds')).toBe('yes');
    await screen.getByRole('switch', { name: 'Compact' }).click();
    expect(readPreference('compactBeds')).toBeUndefined();
  });

  it.each(['light', 'dark'] as const)('fit a phone, %s', async (scheme) => {
    await page.viewport(390, 844);
    writePreference('colorScheme', scheme);
    writePreference('compactBeds', 'yes');
    await open();
    await expect.element(heading('House #1')).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await expectNoViolations();
  });
});
