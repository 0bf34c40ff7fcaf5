import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { DashboardPage } from '@/features/dashboard/components/dashboard-page';
import { dashboardSearch } from '@/features/dashboard/dashboard-search';
import { OrganizationsPage } from './organizations-page';
import { TodaySummary } from './today-summary';

import {
  type User,
  harbor,
  intake,
  waiting,
  siteOf,
  anna,
  ben,
  shift,
  serveToday,
  serveUpdates,
  without,
  rows,
  names,
  setUpToday,
  tearDownToday,
} from '@/testing/today-world';

beforeEach(setUpToday);
afterEach(tearDownToday);

describe('above the organizations', () => {
  const openList = async (
    user: User,
    type: 'organizations' | 'free-rehabs',
    size = { countOfPending: 12, siteCount: 20 },
  ) => {
    serve(answerGet('/api/Organizations', [organization('Bay', size)]));
    return renderView(
      <Suspense>
        <OrganizationsPage type={type} />
      </Suspense>,
      { user },
    );
  };
  const summary = () => page.getByRole('region', { name: 'Today', exact: true });
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => waiting(id, `Guest${id}`));

  it('shows five that wait, the way to all, and one line a site; the cards do not move when it arrives', async () => {
    let answer: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    serve(
      http.get('/api/Today', async () => {
        await arrived;
        return HttpResponse.json(shift({ waiting: six, waitingTotal: 12, sitesTotal: 20 }));
      }),
    );
    const screen = await openList(intake, 'organizations');
    const card = screen.getByRole('link', { name: 'Bay', exact: true });
    await expect.element(card).toBeInTheDocument();
    await expect.element(screen.getByText('Loading...')).toBeInTheDocument();
    const top = () => card.element().getBoundingClientRect().top;
    const before = top();
    answer();
    await expect.poll(() => rows().length).toBe(5);
    expect(top()).toBe(before);
    await expect.element(summary().getByText('5 available')).toBeVisible();
    await expectNoViolations();
    await summary().getByRole('link', { name: 'Show all 12' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/today');
  });

  it.each([1360, 1024, 390])('has room for what it shows at %i px', async (width) => {
    await page.viewport(width, 844);
    serveToday({
      today: shift({
        waiting: six,
        waitingTotal: 12,
        sites: six.map((_, index) => siteOf({ ...harbor, id: `s${index}`, name: `Site ${index}` }, 9, 4)),
        sitesTotal: 20,
      }),
    });
    const screen = await openList(intake, 'organizations');
    await expect.element(screen.getByRole('link', { name: 'Show all 20 sites' })).toBeVisible();
    const frame = summary().element();
    expect(frame.getBoundingClientRect().height).toBe(Number.parseFloat(getComputedStyle(frame).minHeight));
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  });

  it.each([1360, 390])('takes no more room than what is expected needs, at %i px', async (width) => {
    await page.viewport(width, 844);
    serveToday({ today: shift({ waiting: [anna], sites: [siteOf(harbor, 9, 1)], sitesTotal: 1 }) });
    const screen = await openList(intake, 'organizations', { countOfPending: 1, siteCount: 1 });
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
    const frame = summary().element();
    expect(frame.getBoundingClientRect().height).toBe(Number.parseFloat(getComputedStyle(frame).minHeight));
    expect(frame.getBoundingClientRect().height).toBeLessThan(300);
  });

  it('is decided on there, too', async () => {
    const world = { today: shift({ waiting: [anna, ben] }) };
    serveToday(world);
    serveUpdates(world, without);
    const screen = await openList(intake, 'organizations');
    await screen.getByRole('button', { name: 'Decline Anna B. ANNA' }).click();
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect.poll(names).toEqual(['Ben B.']);
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
  });

  it('goes on with the row that moves up, after the last of the five', async () => {
    const world = { today: shift({ waiting: six }) };
    serveToday(world);
    serveUpdates(world, without);
    const screen = await openList(intake, 'organizations');
    await screen.getByRole('button', { name: 'Decline Gueste B. E' }).click();
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect.element(screen.getByRole('button', { name: 'Accept Guestf B. F' })).toHaveFocus();
  });

  it('leaves the cards alone when it cannot be loaded', async () => {
    serve(http.get('/api/Today', () => problem(403, 'Not for you.')));
    const screen = await openList(intake, 'organizations');
    await expect.element(summary().or(screen.getByText('Not for you.'))).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Bay', exact: true })).toBeInTheDocument();
  });

  it('stands above the lists of the dashboard, which stay when it cannot be loaded', async () => {
    const world = { today: shift() };
    serveToday(world);
    serve(http.get('/api/Dashboard/users', () => HttpResponse.json({ items: [], totalCount: 0, totalPages: 0 })));
    const global = currentUser({ role_global: true });
    const view = <DashboardPage type="organizations" search={dashboardSearch.parse({})} lead={<TodaySummary />} />;
    const screen = await renderView(view, { user: global, path: '/dashboard' });
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toBeVisible();
    await expect.element(screen.getByRole('tab', { name: 'Sites' })).toBeVisible();
    serve(http.get('/api/Today', () => HttpResponse.json({ nonsense: true })));
    await screen.queryClient.invalidateQueries({ queryKey: ['today'] });
    await expect.element(summary()).not.toBeInTheDocument();
    await expect.element(screen.getByRole('tab', { name: 'Sites' })).toBeVisible();
  });

  it('is not there for global admins, who have it above the dashboard', async () => {
    const screen = await openList(currentUser({ role_global: true }), 'free-rehabs');
    await expect.element(screen.getByRole('link', { name: 'Bay', exact: true })).toBeInTheDocument();
    expect(screen.getByText('Needs a decision').elements()).toHaveLength(0);
  });
});
