import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { SitesPage } from '@/features/sites/components/sites-page';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { siteDetails } from '@/testing/bed-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, serve } from '@/testing/server';
import { OrganizationPage } from './organization-page';
import { OrganizationsPage } from './organizations-page';

beforeEach(() => localStorage.clear());

afterEach(async () => {
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const anna = currentUser({ role_global: true, sub: 'anna' });
const ben = currentUser({ role_global: true, sub: 'ben' });

/** So many sites: "Site 01", …; the last one has the most vacant beds and a name of its own. */
function sites(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...siteDetails([], {
      id: `s${index}`,
      name: index === count - 1 ? 'Casa del Árbol' : `Site ${String(index + 1).padStart(2, '0')}`,
      address: `${index + 1} Main St, Santa Ana, CA`,
    }),
    counts: { rooms: 1, beds: 40, vacant: index, available: index, occupied: 0, disabled: 0, pending: 0, guests: 0 },
    roles: [],
  }));
}

async function showSites(count: number, user = anna) {
  serve(answerGet('/api/Sites', onePage(sites(count))));
  return renderView(
    <Suspense fallback="…">
      <SitesPage kind="sites" />
    </Suspense>,
    { user },
  );
}

const firstLink = (name: string) => document.querySelector(`ul[aria-label="${name}"] a`)?.textContent;

describe('sites', () => {
  it('that are fewer than 20 are cards and nothing else', async () => {
    const screen = await showSites(19);
    await expect.element(screen.getByRole('link', { name: 'Site 01' })).toBeVisible();
    await expect.element(screen.getByRole('textbox', { name: 'Search sites' })).not.toBeInTheDocument();
    await expect.element(screen.getByText('Table', { exact: true })).not.toBeInTheDocument();
  });

  it('from 20 on are found by a part of the name without its accents, or of the address', async () => {
    const screen = await showSites(20);
    const field = screen.getByRole('textbox', { name: 'Search sites' });
    await field.fill('arbol');
    await expect.element(screen.getByText('1 of 20')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Casa del Árbol' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Site 01' })).not.toBeInTheDocument();
    expect(screen.router.state.location.search).toMatchObject({ find: 'arbol' });
    await field.fill('17 main');
    await expect.element(screen.getByRole('link', { name: 'Site 17' })).toBeVisible();
  });

  it('that are not found lead back to all of them', async () => {
    const screen = await showSites(20);
    await screen.getByRole('textbox', { name: 'Search sites' }).fill('nowhere');
    await expect.element(screen.getByText('Nothing found')).toBeVisible();
    await screen.getByRole('button', { name: 'Show all' }).click();
    await expect.element(screen.getByRole('link', { name: 'Site 01' })).toBeVisible();
  });

  it('come in the order that is chosen, as cards too', async () => {
    const screen = await showSites(20);
    await screen.getByRole('combobox', { name: 'Sort by' }).selectOptions('Available, descending');
    await expect.poll(() => firstLink('Sites')).toContain('Casa del Árbol');
  });

  it('are a table that the person finds again, and nobody else', async () => {
    const first = await showSites(30);
    await first.getByText('Table', { exact: true }).click();
    await expect.element(first.getByRole('columnheader', { name: 'Address' })).toBeVisible();
    await first.getByRole('combobox', { name: 'Rows per page' }).selectOptions('10');
    await first.getByRole('checkbox', { name: 'Dense' }).click();
    await first.unmount();

    const other = await showSites(30, ben);
    await expect.element(other.getByRole('list', { name: 'Sites' })).toBeVisible();
    await other.unmount();

    const again = await showSites(30);
    await expect.element(again.getByRole('table', { name: 'Sites' })).toBeVisible();
    await expect.element(again.getByText('1–10 of 30')).toBeVisible();
    await expect.element(again.getByRole('checkbox', { name: 'Dense' })).toBeChecked();
    await expectNoViolations();
  });

  it('are sorted and opened in the table by keys alone', async () => {
    writePreference('listView.anna', 'table');
    const screen = await showSites(20);
    await expect.element(screen.getByRole('columnheader', { name: 'Vacant' })).toBeVisible();
    (screen.getByRole('button', { name: 'Vacant' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect
      .element(screen.getByRole('columnheader', { name: 'Vacant' }))
      .toHaveAttribute('aria-sort', 'ascending');
    (screen.getByRole('link', { name: 'Site 01' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => screen.router.state.location.pathname).toMatch(/\/s0$/);
  });

  it.each(['light', 'dark'] as const)('are cards with search and sort on a phone, %s', async (scheme) => {
    await page.viewport(390, 844);
    writePreference('colorScheme', scheme);
    writePreference('listView.anna', 'table');
    const screen = await showSites(20);
    await expect.element(screen.getByRole('list', { name: 'Sites' })).toBeVisible();
    await expect.element(screen.getByRole('textbox', { name: 'Search sites' })).toBeVisible();
    await expect.element(screen.getByText('Table', { exact: true })).not.toBeInTheDocument();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await expectNoViolations();
  });

  it('of an organization keep their menu in the table', async () => {
    writePreference('listView.anna', 'table');
    serve(answerGet('/api/Sites', onePage(sites(20))), answerGet('/api/Organizations/:id', organization('Bay')));
    const view = (
      <Suspense fallback="…">
        <OrganizationPage organizationId="o1" type="free-rehabs" />
      </Suspense>
    );
    const screen = await renderView(view, { user: anna });
    await screen.getByRole('button', { name: 'Actions for Site 01' }).click();
    await expect.element(screen.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  });
});

it('organizations from 20 on have search and a table with their menu', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Group ${String(index + 1).padStart(2, '0')}`);
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet(
      '/api/Organizations',
      names.map((name) => organization(name)),
    ),
  );
  const view = (
    <Suspense fallback="…">
      <OrganizationsPage type="free-rehabs" />
    </Suspense>
  );
  const screen = await renderView(view, { user: anna });
  await screen.getByText('Table', { exact: true }).click();
  await screen.getByRole('textbox', { name: 'Search organizations' }).fill('group 07');
  await expect.element(screen.getByText('1 of 20')).toBeVisible();
  await screen.getByRole('button', { name: 'Actions for Group 07' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
});
