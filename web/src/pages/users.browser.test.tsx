import { http } from 'msw';
import { Suspense } from 'react';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { accessUser } from '@/testing/access-users';
import { expectNoViolations } from '@/testing/axe';
import { bed, room, siteDetails } from '@/testing/bed-builders';
import { historyDefaults } from '@/features/history/history-search';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { ManagedSitesPage } from '@/features/sites/components/managed-sites-page';
import { SitePage } from './site-page';
import { SiteUsersPage } from './site-users-page';

const admin = currentUser({ role_admin_site_ids: 's1', role_staff_site_ids: 's2' });
const owner = currentUser({ role_owner_organization_ids: 'o1' });
const harbor = siteDetails([room('1', [bed('a')])]);
const table = { page: 0, direction: 'asc' } as const;

const serveSites = (...items: object[]) => serve(answerGet('/api/Sites', onePage(items)));

describe('the sites whose users are managed', () => {
  it('are those of an admin, not those where one only works', async () => {
    serveSites({ ...harbor, roles: ['Admin'] }, { ...harbor, id: 's2', name: 'Cedar House', roles: ['Staff'] });
    const screen = await renderView(<Suspense>{<ManagedSitesPage />}</Suspense>, { user: admin });
    await expect.element(screen.getByText('Cedar House')).not.toBeInTheDocument();
    await expectNoViolations();
    await screen.getByRole('link', { name: 'Harbor House' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/user-management/s1');
  });

  it('may be none', async () => {
    serveSites();
    const screen = await renderView(<Suspense>{<ManagedSitesPage />}</Suspense>, { user: admin });
    await expect.element(screen.getByText('No sites to manage')).toBeVisible();
  });
});

describe('the users of a site', () => {
  it('have a screen of their own, which says when they cannot be loaded', async () => {
    let isBroken = true;
    serve(answerGet('/api/Sites/s1', harbor), answerGet('/api/AccessUsers/siteScopeUsers', [accessUser('ana')]));
    serve(http.get('/api/AccessUsers/siteScopeUsers', () => (isBroken ? problem(403, 'Not for you.') : undefined)));
    const screen = await renderView(<Suspense>{<SiteUsersPage siteId="s1" search={table} />}</Suspense>, {
      user: admin,
    });
    await expect.element(screen.getByRole('heading', { name: 'Users of Harbor House' })).toBeVisible();
    await expect.element(screen.getByText('Not for you.')).toBeVisible();
    isBroken = false;
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('ana@demo.example')).toBeVisible();
  });

  async function openTab(user: typeof owner) {
    serve(answerGet('/api/Sites/s1', harbor), answerGet('/api/AccessUsers/siteScopeUsers', [accessUser('ana')]));
    const search = { ...table, tab: 'users', beds: 'all', ...historyDefaults } as const;
    const view = <Suspense>{<SitePage siteId="s1" type="organizations" search={search} />}</Suspense>;
    return renderView(view, { user });
  }

  it('have a tab on the site for whoever manages the organization', async () => {
    const screen = await openTab(owner);
    await expect.element(screen.getByText('ana@demo.example')).toBeVisible();
    const tabs = screen.getByRole('tab').elements();
    expect(tabs.map((tab) => tab.textContent)).toEqual([
      'Information',
      'Houses (1)',
      'Reservations (0)',
      'Guests (0)',
      'History',
      'Numbers',
      'Users',
    ]);
    const way = screen.getByRole('navigation', { name: 'Breadcrumb' });
    expect(
      way
        .getByRole('link')
        .elements()
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/organizations', '/organizations/o1']);
    await expectNoViolations();
  });

  it('are reached by an address on a phone, whose chosen tab is within sight', async () => {
    await page.viewport(390, 844);
    const screen = await openTab(owner);
    const box = () => screen.getByRole('tablist').element().getBoundingClientRect();
    const tab = () => screen.getByRole('tab', { name: 'Users' }).element().getBoundingClientRect();
    await expect.element(screen.getByRole('tab', { name: 'Users' })).toBeVisible();
    expect(screen.getByRole('tablist').element().scrollWidth).toBeGreaterThan(box().width);
    expect(tab().right).toBeLessThanOrEqual(box().right + 1);
    expect(tab().left).toBeGreaterThanOrEqual(box().left);
    await page.viewport(1360, 900);
  });

  it('have no tab for the admin of the site, who gets the houses instead', async () => {
    const screen = await openTab(admin);
    await expect.element(screen.getByText('House 1', { exact: true })).toBeVisible();
    await expect.element(screen.getByRole('tab', { name: 'Users' })).not.toBeInTheDocument();
  });
});
