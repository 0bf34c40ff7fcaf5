import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { useLocation } from '@tanstack/react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { bedOffer, waitingPerson } from '@/testing/waitlist-builders';
import { WaitlistPage } from './waitlist-page';

beforeEach(() => page.viewport(1360, 900));
afterEach(() => {
  cleanNotifications();
  writePreference('colorScheme', 'light');
});

const intake = currentUser({ role_intake_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });
const admin = currentUser({ role_admin_site_ids: 's1' });
const site = siteDetails([room('1', [bed('a'), bed('b')])]);

const mara = waitingPerson('Mara', { offer: bedOffer() });
const nora = waitingPerson('Nora', {
  hasPriority: true,
  priorityReason: 'Pregnant',
  bedType: 'Detox',
  passedOffers: 2,
});

function Page() {
  const search = useLocation().search as { open?: string };
  return (
    <Suspense>
      <WaitlistPage siteId="s1" isAdding={search.open === 'add'} edited={undefined} />
    </Suspense>
  );
}

async function open(items: readonly object[], user = intake, at = site) {
  const sent: unknown[] = [];
  const keep = async (what: string, request: Request) => sent.push([what, await request.json()]);
  serve(
    answerGet('/api/Sites/s1', at),
    answerGet('/api/Sites/s1/waitlist', { items, offerMinutes: 30 }),
    http.post('/api/Waitlist/:id/take', async ({ request }) => {
      await keep(`take ${request.headers.get('idempotency-key') === null ? 'without' : 'with'} key`, request);
      return HttpResponse.json(guest('mara', { firstName: 'Mara', code: 'K7M2QX' }), { status: 201 });
    }),
    http.patch('/api/Waitlist/:id', async ({ request, params }) => {
      await keep(String(params.id), request);
      return new HttpResponse(null, { status: 204 });
    }),
    http.put('/api/Sites/s1/offer-period', async ({ request }) => {
      await keep('period', request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return Object.assign(await renderView(<Page />, { user }), { sent });
}

describe('the waitlist of a site', () => {
  it('shows who is asked next, for how long the offer stands, and whom to call', async () => {
    const screen = await open([mara, nora]);
    const rows = screen.getByRole('listitem').filter({ hasText: 'Waiting for' });
    await expect.element(rows.nth(0)).toHaveTextContent(/Mara B\..*Bed a \(House 1\) is offered.*Waiting for 2 hours/s);
    await expect
      .element(rows.nth(0).getByRole('link', { name: '(714) 555-0123' }))
      .toHaveAttribute('href', 'tel:+17145550123');
    await expect
      .element(rows.nth(1))
      .toHaveTextContent(/Nora B\..*Priority.*needs Detox.*let 2 offers pass.*Pregnant/s);
  });

  it('tells screen readers of an offer that is made while the list is open', async () => {
    const screen = await open([nora]);
    const row = screen.getByRole('listitem').filter({ hasText: 'Nora' });
    await expect.element(row.getByRole('status').first()).toBeEmptyDOMElement();
    const region = row.getByRole('status').first().element();
    serve(answerGet('/api/Sites/s1/waitlist', { items: [{ ...nora, offer: bedOffer() }], offerMinutes: 30 }));
    await screen.queryClient.invalidateQueries();
    await expect.element(row.getByRole('status').first()).toHaveTextContent('Bed a (House 1) is offered. Call now:');
    expect(row.getByRole('status').first().element()).toBe(region);
  });

  it('says why no vacant bed is offered to a person', async () => {
    const rooms = [room('1', [bed('a', { type: 'Treatment' })], { meantFor: ['gender-male'] })];
    const people = [nora, waitingPerson('Olga'), waitingPerson('Paul', { gender: 'Male' })];
    const screen = await open(people, intake, siteDetails(rooms, { strictPlacement: true }));
    const rows = screen.getByRole('listitem').filter({ hasText: 'Waiting for' });
    await expect.element(rows.nth(0)).toHaveTextContent('No vacant bed is of the type Detox.');
    await expect
      .element(rows.nth(1))
      .toHaveTextContent('Every vacant bed of a suitable type is in a house that does not match: Female.');
    await expect.element(rows.nth(2)).not.toHaveTextContent('vacant');
    await expectNoViolations();
  });

  it('gives the offered bed with one press, and a double press has one effect', async () => {
    const screen = await open([mara]);
    await screen.getByRole('button', { name: 'Takes the bed: Mara B.' }).dblClick();
    await expect.element(page.getByText('Mara B. has the bed House 1 / Bed a. Reservation K7M2QX.')).toBeVisible();
    expect(screen.sent).toEqual([['take with key', { version: 3 }]]);
  });

  it('asks before the bed goes to the next person, and before a person is taken off the list', async () => {
    const screen = await open([mara]);
    await screen.getByRole('button', { name: 'Declines: Mara B.' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ask the next person' }).click();
    await expect.poll(() => screen.sent).toEqual([['Mara', { command: 'DECLINE', reason: null, version: 3 }]]);
    await screen.getByRole('button', { name: 'Take off the list: Mara B.' }).click();
    await page.getByRole('dialog').getByLabelText('Reason').fill('Found a place');
    await page.getByRole('dialog').getByRole('button', { name: 'Take off the list' }).click();
    await expect
      .poll(() => screen.sent[1])
      .toEqual(['Mara', { command: 'LEAVE', reason: 'Found a place', version: 3 }]);
  });

  it('gives no priority without a reason, which is where the question starts', async () => {
    const screen = await open([mara]);
    await screen.getByRole('button', { name: 'Give priority: Mara B.' }).click();
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByRole('textbox', { name: 'Reason' });
    await expect.element(reason).toHaveFocus();
    await expect.element(reason).toBeRequired();
    await dialog.getByRole('button', { name: 'Give priority' }).click();
    await expect.element(dialog.getByText('Please enter a reason.')).toBeVisible();
    await expect.element(reason).toHaveFocus();
    await expect.element(reason).toBeInvalid();
    await expectNoViolations();
    expect(screen.sent).toEqual([]);
    await userEvent.keyboard('Pregnant');
    await expect.element(dialog.getByText('Please enter a reason.')).not.toBeInTheDocument();
    await dialog.getByRole('button', { name: 'Give priority' }).click();
    await expect.poll(() => screen.sent).toEqual([['Mara', { command: 'PRIORITIZE', reason: 'Pregnant', version: 3 }]]);
  });

  it('says that the offer goes to the next person before somebody is taken off the list', async () => {
    const screen = await open([mara, nora]);
    const dialog = page.getByRole('dialog');
    const onOffer = 'Bed a (House 1) is on offer to this person. The next person is asked instead.';
    await screen.getByRole('button', { name: 'Take off the list: Mara B.' }).click();
    await expect.element(dialog.getByText(onOffer)).toBeVisible();
    await expect.element(dialog.getByRole('textbox', { name: 'Reason (optional)' })).not.toBeRequired();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Take off the list: Nora B.' }).click();
    await expect.element(dialog).toBeVisible();
    await expect.element(dialog.getByText(onOffer)).not.toBeInTheDocument();
  });

  it('offers staff no change', async () => {
    const screen = await open([{ ...mara, phone: undefined, email: undefined }], staff);
    await expect.element(screen.getByText('Mara B.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: /Takes the bed|Add to waitlist/ })).not.toBeInTheDocument();
  });

  it('says before a form is filled in that beds are available, and leads to the form of a guest', async () => {
    const screen = await open([]);
    await expect.element(screen.getByText(/beds are available now/)).toBeVisible();
    await screen.getByRole('link', { name: 'New Guest' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations/s1');
    expect(screen.router.state.location.search).toMatchObject({ open: 'new-guest' });
  });

  it('lets who may edit the site say how long an offer stands, and refuses other times', async () => {
    const screen = await open([mara], admin);
    const field = screen.getByRole('textbox', { name: 'How long an offer stands, in minutes' });
    await field.fill('4');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('Choose from 5 to 1440 minutes.')).toBeVisible();
    await field.fill('45');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => screen.sent).toEqual([['period', { offerMinutes: 45 }]]);
    await expect.element(screen.getByText('Offers stand for 45 minutes.')).toBeVisible();
    await expect.element(field).toHaveFocus();
  });

  it('asks before a time that was typed and not saved is lost', async () => {
    const screen = await open([mara], admin);
    await screen.getByRole('textbox', { name: 'How long an offer stands, in minutes' }).fill('50');
    void screen.router.navigate({ to: '/today' });
    await page.getByRole('dialog', { name: 'Leave page?' }).getByRole('button', { name: 'Stay' }).click();
    await expect
      .element(screen.getByRole('textbox', { name: 'How long an offer stands, in minutes' }))
      .toHaveValue('50');
  });

  it('says that nobody waits, and what does not load', async () => {
    const screen = await open([]);
    await expect.element(screen.getByText('Nobody is waiting')).toBeVisible();
    serve(http.get('/api/Sites/s1/waitlist', () => problem(500, 'Something went wrong on our side.')));
    await screen.queryClient.resetQueries({ queryKey: ['sites', 's1', 'waitlist'] });
    await expect.element(screen.getByText('Failed to load')).toBeVisible();
  });

  for (const [width, scheme] of [
    [1360, 'light'],
    [1360, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    it(`has no accessibility violations at ${width} px, ${scheme}`, async () => {
      await page.viewport(width, 900);
      writePreference('colorScheme', scheme);
      const screen = await open([mara, nora], admin);
      await expect.element(screen.getByText('Nora B.')).toBeVisible();
      await expectNoViolations();
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    });
  }
});
