import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { bed, room, siteDetails } from '@/testing/bed-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { http } from 'msw';
import { Suspense } from 'react';
import { OrganizationPage } from './organization-page';
import { OrganizationsPage } from './organizations-page';
import { SitesPage } from '@/features/sites/components/sites-page';

afterEach(() => page.viewport(1360, 900));

const global = currentUser({ role_global: true });
const intake = currentUser({ role_intake_site_ids: 's1' });

const sites = (...items: object[]) => answerGet('/api/Sites', onePage(items));
const harbor = {
  ...siteDetails([room('1', [bed('a'), bed('b', { disabled: true })])], { name: 'Harbor House of the Long Shore' }),
  roles: [],
};

const show = (view: React.ReactNode, user = global) => renderView(<Suspense fallback="…">{view}</Suspense>, { user });

/** How the picture with this address fills its frame. */
function fitOf(path: string): string {
  const image = document.querySelector(`img[src*="${path}"]`);
  if (!image) throw new Error(`There is no picture ${path}.`);
  return getComputedStyle(image).objectFit;
}

describe('a list of organizations', () => {
  it('shows the logo of each, and the initials of one without', async () => {
    serve(
      answerGet('/api/public/settings', publicSettings()),
      answerGet('/api/Organizations', [
        organization('Bay', { logoPath: '/demo/logo.webp' }),
        organization('Quiet Cove', { logoPath: null }),
      ]),
    );
    const screen = await show(<OrganizationsPage type="free-rehabs" />);
    await expect.element(screen.getByText('QC', { exact: true })).toBeVisible();
    expect(fitOf('/demo/logo.webp')).toBe('contain');
  });

  it('shows names cut to 20 characters, the number of sites in words, and who is disabled', async () => {
    serve(
      answerGet('/api/public/settings', publicSettings()),
      answerGet('/api/Organizations', [
        organization('A Very Long Name of an Organization', { siteCount: 0 }),
        organization('Bay', { siteCount: 1 }),
        organization('Cove', { siteCount: 3, isDisabled: true }),
      ]),
    );
    const screen = await show(<OrganizationsPage type="free-rehabs" />);
    await expect.element(screen.getByText('A Very Long Name of…', { exact: true })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'A Very Long Name of an Organization' })).toBeInTheDocument();
    await expect.element(screen.getByText('No Sites Yet')).toBeVisible();
    await expect.element(screen.getByText('1 Site', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('3 Sites')).toBeVisible();
    await expect.element(screen.getByText('Disabled')).toBeVisible();
    await expect.element(screen.getByText(/The Alder Family Foundation/)).toBeVisible();
    await expectNoViolations();
    await screen.getByRole('link', { name: 'Bay' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/free-rehabs/Bay');
  });

  it('credits nobody elsewhere, and says when it is empty', async () => {
    serve(answerGet('/api/public/settings', publicSettings()), answerGet('/api/Organizations', []));
    const screen = await show(<OrganizationsPage type="paid-rehabs" />);
    await expect.element(screen.getByText('No Organizations yet')).toBeVisible();
    await expect.element(screen.getByText(/Foundation/)).not.toBeInTheDocument();
  });
});

describe('an organization', () => {
  it('shows its sites with their counts', async () => {
    serve(answerGet('/api/Organizations/:id', organization('Bay')), sites(harbor));
    const screen = await show(<OrganizationPage organizationId="o1" type="free-rehabs" />);
    await expect.element(screen.getByRole('link', { name: 'Rehabs (Non-commercial)' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Harbor House of the Long Shore' })).toBeInTheDocument();
    await expect.element(screen.getByText('Vacant')).toBeVisible();
    await expectNoViolations();
  });

  it('shows its logo whole, and the covers of its sites', async () => {
    const withCover = { ...harbor, coverImage: { imagePath: '/demo/cover.webp' } };
    serve(
      answerGet('/api/Organizations/:id', organization('Bay', { logoPath: '/demo/logo.webp' })),
      sites(withCover, { ...harbor, id: 's2', name: 'Quiet Cove', coverImage: null }),
    );
    const screen = await show(<OrganizationPage organizationId="o1" type="free-rehabs" />);
    await expect.element(screen.getByRole('link', { name: 'Quiet Cove' })).toBeInTheDocument();
    expect(fitOf('/demo/logo.webp')).toBe('contain');
    expect(fitOf('/demo/cover.webp')).toBe('cover');
    await expect.element(screen.getByText('QC', { exact: true })).toBeVisible();
  });

  it('has 3 cards in a row, 2 under 1128 px, and says that it loads before', async () => {
    let answer: (response?: Response) => void = () => undefined;
    const waits = new Promise<Response | undefined>((resolve) => {
      answer = resolve;
    });
    serve(answerGet('/api/Organizations/:id', organization('Bay')), sites(harbor));
    serve(http.get('/api/Sites', () => waits));
    const screen = await show(<OrganizationPage organizationId="o1" type="free-rehabs" />);
    await expect.element(screen.getByText('Loading...')).toBeInTheDocument();
    answer();
    await expect.element(screen.getByRole('link', { name: 'Harbor House of the Long Shore' })).toBeInTheDocument();
    const list = () => screen.getByRole('list', { name: 'Sites' }).element();
    const columns = () => getComputedStyle(list()).gridTemplateColumns.split(' ').length;
    await page.viewport(1128, 900);
    expect(columns()).toBe(3);
    await page.viewport(1127, 900);
    expect(columns()).toBe(2);
  });

  it('says that it has no sites, and when they cannot be loaded', async () => {
    let isBroken = true;
    serve(sites(), answerGet('/api/Organizations/:id', organization('Bay')));
    serve(http.get('/api/Sites', () => (isBroken ? problem(403, 'Not for you.') : undefined)));
    const screen = await show(<OrganizationPage organizationId="o1" type="free-rehabs" />);
    await expect.element(screen.getByText('Not for you.')).toBeVisible();
    isBroken = false;
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('No Sites yet')).toBeVisible();
  });
});

describe('the sites of a user', () => {
  it('lead to their reservations', async () => {
    await page.viewport(390, 844);
    serve(sites({ ...harbor, coverImage: { imagePath: '/demo/cover.webp' } }));
    const screen = await show(<SitesPage kind="reservations" />, intake);
    await expect.element(screen.getByRole('link', { name: 'Harbor House of the Long Shore' })).toBeInTheDocument();
    expect(fitOf('/demo/cover.webp')).toBe('cover');
    await screen.getByRole('link', { name: 'Harbor House of the Long Shore' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations/s1');
  });

  it('lead to their pages below the right list', async () => {
    serve(sites(harbor));
    const screen = await show(<SitesPage kind="sites" />);
    await screen.getByRole('link', { name: 'Harbor House of the Long Shore' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/paid-rehabs/o1/s1');
  });

  it('may be none', async () => {
    serve(sites());
    const screen = await show(<SitesPage kind="reservations" />, intake);
    await expect.element(screen.getByText('No records available in reservations.')).toBeVisible();
  });

  it('of the history lead there, and say when there are none', async () => {
    serve(sites(harbor));
    const screen = await show(<SitesPage kind="history" />, intake);
    await screen.getByRole('link', { name: 'Harbor House of the Long Shore' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/history/s1');
    await screen.unmount();
    serve(sites());
    const empty = await show(<SitesPage kind="history" />, intake);
    await expect.element(empty.getByText('No records available in history.')).toBeVisible();
  });
});
