import { expect, it } from 'vitest';
import type { Schemas } from '@/api/client';
import { serverNow } from '@/lib/clock';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { http } from 'msw';
import { EarlierOfGuest, EarlierReservations } from './earlier-reservations';

type Earlier = Schemas['EarlierReservation'];

const year = new Date(serverNow()).getUTCFullYear();
const user = currentUser({ role_intake_site_ids: 's1' });

function stay(id: string, fields: Partial<Earlier> = {}): Earlier {
  return {
    id,
    code: id.toUpperCase(),
    displayName: `Ana B. ${id.toUpperCase()}`,
    siteId: 's1',
    siteName: 'Harbor House',
    status: 'discharged',
    createdAt: `${year}-01-01T20:00:00.000Z`,
    acceptedAt: `${year}-01-02T20:00:00.000Z`,
    dischargedAt: `${year}-01-05T20:00:00.000Z`,
    noShowAt: null,
    rejectedAt: null,
    daysStayed: 3,
    feedback: null,
    reasonName: null,
    version: 1,
    mergedAt: null,
    merged: null,
    ...fields,
  };
}

const older = stay('old', {
  siteName: 'Bay House',
  siteId: 's2',
  acceptedAt: '2019-03-01T20:00:00.000Z',
  dischargedAt: '2019-03-31T20:00:00.000Z',
  noShowAt: null,
  daysStayed: 30,
  feedback: 'Went home.',
});
const declined = stay('dec', {
  status: 'rejected',
  acceptedAt: null,
  dischargedAt: null,
  noShowAt: null,
  rejectedAt: `${year}-01-03T20:00:00.000Z`,
});

const show = (items: readonly Earlier[]) =>
  renderView(<EarlierReservations items={items} timeZone="America/Los_Angeles" />, { user });

it('who was here before is told in one line: how often, where last, until when', async () => {
  const screen = await show([declined, stay('new'), older]);
  await expect.element(screen.getByText('Was here before: 2 stays, last at Harbor House until Jan 5')).toBeVisible();
  await expectNoViolations();
});

it('the stays are listed on request, each with state, dates, days and reason, and lead to the guest', async () => {
  const screen = await show([stay('new'), older]);
  await screen.getByText('Show details').click();
  const items = screen.getByRole('list', { name: 'Earlier reservations' }).getByRole('listitem');
  await expect.element(items.nth(0)).toHaveTextContent('Ana B. NEWHarbor House · DischargedJan 2 – Jan 5 · 3 Days');
  await expect
    .element(items.nth(1))
    .toHaveTextContent('Bay House · DischargedMar 1, 2019 – Mar 31, 2019 · 30 DaysReason: Went home.');
  await expectNoViolations();
  await screen.getByRole('link', { name: 'Ana B. OLD' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations/guest/s2/old');
});

it('who is here now, and who only asked, is not told as a stay that ended', async () => {
  const here = await show([stay('now', { status: 'accepted', dischargedAt: null }), older]);
  await expect.element(here.getByText('Is here now, at Harbor House (2 stays)')).toBeVisible();
  await here.unmount();
  const asked = await show([declined]);
  await expect.element(asked.getByText('1 other reservation, at Harbor House on Jan 1')).toBeVisible();
});

it('a guest who did not come did not stay', async () => {
  const missed = stay('missed', { noShowAt: '2019-01-02T20:00:00.000Z', dischargedAt: '2019-01-02T20:00:00.000Z' });
  const screen = await show([missed]);
  await expect.element(screen.getByText(/1 other reservation, at Harbor House/)).toBeVisible();
  await screen.getByText('Show details').click();
  await expect.element(screen.getByRole('listitem')).toHaveTextContent('No show');
});

it('nothing is said without any, and when it cannot be loaded', async () => {
  const guest = <EarlierOfGuest guest={{ id: 'ana' }} timeZone="America/Los_Angeles" />;
  serve(answerGet('/api/Guests/ana/earlier', { items: [] }));
  const none = await renderView(guest, { user });
  await expect.poll(() => none.queryClient.isFetching()).toBe(0);
  expect(none.getByText(/before|reservation/i).elements()).toEqual([]);
  await none.unmount();
  let asked = 0;
  serve(
    http.get('/api/Guests/ana/earlier', () => {
      asked += 1;
      return problem(503, 'The server is busy.');
    }),
  );
  const broken = await renderView(guest, { user });
  await expect.poll(() => asked).toBe(1);
  await expect.poll(() => broken.queryClient.isFetching()).toBe(0);
  expect(broken.getByText(/before|reservation|busy/i).elements()).toEqual([]);
});
