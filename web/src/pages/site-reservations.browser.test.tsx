import { cleanNotifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { guestKeys } from '@/features/guests/api/keys';
import { tellUserForgotten } from '@/lib/session-end';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, serve } from '@/testing/server';
import { GuestPage } from './guest-page';
import { SiteReservationsPage } from './site-reservations-page';

beforeEach(() => page.viewport(1360, 900));
afterEach(() => {
  cleanNotifications();
  tellUserForgotten();
});

const intake = currentUser({ role_intake_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });
const beds = ['b', 'c', 'd', 'e'].map((id) => bed(id));
const site = siteDetails([room('1', [bed('a', { guest: guestShort('ana') }), ...beds])]);
const ana = guest('ana', {
  status: 'accepted',
  assignedBedId: 'a',
  room: { id: '1', name: 'House 1', imagePath: null },
  bed: { id: 'a', name: 'Bed a', type: 'Detox', index: 0, imagePath: null },
});

type PageSearch = Parameters<typeof SiteReservationsPage>[0]['search'];

function Page() {
  const given = useLocation().search as Partial<PageSearch>;
  const search: PageSearch = { page: 0, direction: 'asc', tab: 'overview', ...given };
  return (
    <Suspense>
      <SiteReservationsPage siteId="s1" search={search} />
    </Suspense>
  );
}

/** The page at an address of its own; `loads` are the lists that the server was asked for, `guests` those it has. */
async function openPage(path = '/', user = intake, guests = [ana]) {
  const loads: string[] = [];
  serve(
    http.get('/api/Sites/s1', () => {
      loads.push('site');
      return HttpResponse.json(site);
    }),
    http.get('/api/Guests', () => {
      loads.push('guests');
      return HttpResponse.json(onePage(guests));
    }),
    http.patch('/api/Guests/ana', () => HttpResponse.json({ ...ana, status: 'discharged', version: 2 })),
  );
  return Object.assign(await renderView(<Page />, { user, path }), { loads });
}

describe('the reservation details of a site', () => {
  it('have three tabs, the beds four in a row, and the way to add a guest', async () => {
    const screen = await openPage();
    await expect.element(screen.getByText('Bed e')).toBeVisible();
    const tabs = screen.getByRole('tab').elements();
    expect(tabs.map((tab) => tab.textContent)).toEqual(['Overview', 'Reservations (0)', 'Guests (1)']);
    const grid = screen.getByText('Bed b').element().closest('ul');
    expect(grid && getComputedStyle(grid).gridTemplateColumns.split(' ')).toHaveLength(4);
    await expect.element(screen.getByRole('button', { name: 'Add New Guest' })).toBeVisible();
  });

  it('offer staff no new guest', async () => {
    const screen = await openPage('/', staff);
    await expect.element(screen.getByText('Bed e')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Add New Guest' })).not.toBeInTheDocument();
  });
});

describe('the row menu of a guest', () => {
  it('leads to the beds and carries the guest there', async () => {
    const screen = await openPage('/?tab=guests');
    await screen.getByRole('button', { name: 'Actions for Ana ANA' }).click();
    await screen.getByRole('menuitem', { name: 'Reassign' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations-request/ana');
    expect(screen.queryClient.getQueryData(guestKeys.one('ana'))).toEqual(ana);
  });

  it('discharges after a question, and loads guests and beds again', async () => {
    const screen = await openPage('/?tab=guests');
    await screen.getByRole('button', { name: 'Actions for Ana ANA' }).click();
    await screen.getByRole('menuitem', { name: 'Discharge' }).click();
    const question = screen.getByRole('dialog', { name: 'Discharge Ana B.?' });
    await expect.element(question).toBeVisible();
    const before = screen.loads.length;
    await question.getByRole('button', { name: 'Discharge' }).click();
    await expect.poll(() => screen.loads.slice(before).sort()).toEqual(['guests', 'site']);
  });
});

describe('the dialog of a reservation', () => {
  const paul = guest('paul', { displayName: 'Paul PAUL' });
  const dialog = () => page.getByRole('dialog', { name: 'Reservation PAUL' });

  it('is left by Accept without a way back to its address', async () => {
    const { router } = await openPage('/?tab=reservations', intake, [paul]);
    await page.getByRole('row').getByText('Paul PAUL').click();
    await dialog().getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => router.state.location.pathname).toBe('/reservations-request/paul');
    router.history.back();
    await expect.poll(() => router.state.location.href).toBe('/?tab=reservations');
  });

  it('closes with its decision, which nobody calls a reservation that is gone', async () => {
    const guests = [paul];
    const { router } = await openPage('/?tab=reservations', intake, guests);
    serve(
      http.patch('/api/Guests/paul', () => {
        guests.pop();
        return HttpResponse.json({ ...paul, status: 'rejected', version: 2 });
      }),
    );
    await page.getByRole('row').getByText('Paul PAUL').click();
    await dialog().getByRole('button', { name: 'Decline' }).click();
    const question = page.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(page.getByRole('row').getByText('Paul PAUL')).not.toBeInTheDocument();
    expect(page.getByText('This reservation is no longer pending.').query()).toBeNull();
    expect(router.state.location.href).toBe('/?tab=reservations');
  });

  it('that is gone after a decline was given up here is told, and its address is left', async () => {
    const guests = [paul];
    const { router, queryClient } = await openPage('/?tab=reservations', intake, guests);
    await page.getByRole('row').getByText('Paul PAUL').click();
    await dialog().getByRole('button', { name: 'Decline' }).click();
    const question = page.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(question).not.toBeInTheDocument();
    guests.pop();
    await queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
    await expect.element(page.getByText('This reservation is no longer pending.')).toBeVisible();
    await expect.poll(() => router.state.location.href).toBe('/?tab=reservations');
  });
});

it('the board of the guests fills the window', async () => {
  const screen = await openPage('/?tab=guests&open=board');
  const board = screen.getByRole('dialog', { name: /^Move Guests/ });
  await expect.element(board).toBeVisible();
  const { width, height } = board.element().getBoundingClientRect();
  expect([width, height]).toEqual([window.innerWidth, window.innerHeight]);
});

it('the page of a guest asks before it discharges', async () => {
  serve(
    answerGet('/api/Sites/s1', site),
    answerGet('/api/Guests', onePage([ana])),
    answerGet('/api/Guests/ana', ana),
    answerGet('/api/Guests/ana/timeline', { guestId: 'ana', events: [] }),
  );
  const view = (
    <Suspense>
      <GuestPage siteId="s1" guestId="ana" />
    </Suspense>
  );
  const screen = await renderView(view, { user: intake });
  await screen.getByRole('button', { name: 'Discharge' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Discharge Ana B.?' })).toBeVisible();
});
