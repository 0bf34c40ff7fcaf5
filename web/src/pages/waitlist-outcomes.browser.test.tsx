import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
// Loaded with the file, not while a test runs.
import './guest-or-waiting-dialog';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, service, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { fillInGuest } from '@/testing/fill-in-guest';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { bedOffer, waitingPerson } from '@/testing/waitlist-builders';
import { WaitlistPage } from './waitlist-page';

beforeEach(() => page.viewport(1360, 900));
afterEach(() => {
  cleanNotifications();
  // Ends what a failed test has left open.
  tellUserForgotten();
});

const intake = currentUser({ role_intake_site_ids: 's1' });
const admin = currentUser({ role_admin_site_ids: 's1' });
const site = siteDetails([room('1', [bed('a'), bed('b')])], { isCommercial: false });
const mara = waitingPerson('Mara', { offer: bedOffer() });
const nora = waitingPerson('Nora', { offer: bedOffer({ bedId: 'b', bedName: 'Bed b' }) });

const services: Schemas['ServiceGroups'] = {
  age: [service('age-18-26', '18 to 26', 'Age')],
  gender: [],
  client: [],
  general: [service('detox', 'Medical detox', 'General')],
  disability: [],
};

interface Sent {
  what: string;
  key: string | null;
  body: object;
}

/** What the server does with a request about a person. */
type Act = (id: string) => Response;

/** Opens the list of these people; the server acts on one request after the other, on the last one's way from then on. */
async function open(
  people: Schemas['WaitingGuest'][],
  { user = intake, acts, isAdding = false }: { user?: typeof intake; acts: Act[]; isAdding?: boolean },
) {
  const sent: Sent[] = [];
  const list = { items: people, offerMinutes: 30 };
  const act = async (what: string, request: Request, id: string) => {
    sent.push({ what, key: request.headers.get('Idempotency-Key'), body: (await request.json()) as object });
    return acts[Math.min(sent.length, acts.length) - 1]?.(id);
  };
  serve(
    answerGet('/api/Sites/s1', site),
    http.get('/api/Sites/s1/waitlist', () => HttpResponse.json(list)),
    http.post('/api/Waitlist/:id/take', ({ request, params }) => act('take', request, String(params.id))),
    http.post('/api/Sites/s1/waitlist', ({ request }) => act('wait', request, '')),
    answerGet('/api/SiteServices/nonCommercial', services),
    http.patch('/api/Waitlist/:id', ({ request, params }) => act('change', request, String(params.id))),
  );
  const view = (
    <Suspense>
      <WaitlistPage siteId="s1" isAdding={isAdding} edited={undefined} />
    </Suspense>
  );
  const screen = await renderView(view, { user });
  await expect.element(screen.getByText('Mara B.')).toBeVisible();
  const press = (action: string, name = 'Mara B.') => screen.getByRole('button', { name: `${action}: ${name}` });
  /** The server's list as it is from now on. */
  const become = (items: Schemas['WaitingGuest'][]) => Object.assign(list, { items });
  /** A live event: the list is loaded again. */
  const reload = () => screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1', 'waitlist'] });
  const names = () => [...document.querySelectorAll<HTMLElement>('[data-waiting]')].map((row) => row.dataset.waiting);
  return { ...screen, screen, sent, press, become, reload, names };
}

const lost: Act = () => HttpResponse.error();
const done: Act = () => new HttpResponse(null, { status: 204 });
const placed: Act = () =>
  HttpResponse.json(
    guest('g1', {
      firstName: 'Mara',
      lastName: 'B',
      code: 'K7M2QX',
      room: { id: '1', name: 'House 1', imagePath: null },
      bed: { id: 'a', name: 'Bed a', type: 'Detox', index: 0, imagePath: null },
    }),
    { status: 201 },
  );
const gone: Act = () => problem(409, 'This person is no longer on the waitlist.');

/** The connection is back: the server is asked at once. */
const backOnline = () => window.dispatchEvent(new Event('online'));
const hasNoAnswer = () => expect.element(page.getByText('Not confirmed yet')).toBeVisible();
const focusedRow = () => (document.activeElement as HTMLElement | null)?.dataset.waiting;
const heading = page.getByRole('heading', { level: 1 });

describe('taking an offered bed', () => {
  it('asks again under the same key when the answer is lost, and says that nothing is known yet', async () => {
    let isBack = false;
    const act: Act = (id) => (isBack ? placed(id) : lost(id));
    const { press, sent, become, reload, names } = await open([mara, nora], { acts: [act] });
    await press('Takes the bed').click();
    await hasNoAnswer();
    await expectNoViolations();
    // The bed is given already, and the others load the list without the person.
    become([nora]);
    await reload();
    expect(names()).toEqual(['Mara', 'Nora']);
    await expect.element(press('Takes the bed')).toHaveAttribute('aria-disabled', 'true');
    await press('Takes the bed').click({ force: true });
    await press('Declines').click({ force: true });
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    isBack = true;
    backOnline();
    await expect.element(page.getByText('Mara B. has the bed House 1 / Bed a. Reservation K7M2QX.')).toBeVisible();
    await expect.poll(names).toEqual(['Nora']);
    expect(sent.length).toBeGreaterThan(1);
    for (const { what, body } of sent) expect({ what, body }).toEqual({ what: 'take', body: { version: 3 } });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[0]?.key).toBeTruthy();
  });

  it('tells a refusal that comes after a lost answer, and whom it is about', async () => {
    const { press, become } = await open([mara, nora], { acts: [lost, gone] });
    await press('Takes the bed').click();
    await hasNoAnswer();
    become([nora]);
    backOnline();
    await expect.element(page.getByText('Mara B.: This person is no longer on the waitlist.')).toBeVisible();
    await expect.poll(focusedRow).toBe('Nora');
  });

  it('tells the outcome by a message when the page was left meanwhile', async () => {
    const { press, router } = await open([mara], { acts: [lost, placed] });
    await press('Takes the bed').click();
    await hasNoAnswer();
    await router.navigate({ to: '/' });
    backOnline();
    await expect.element(page.getByText(/^Mara B\. has the bed House 1 \/ Bed a\./)).toBeVisible();
  });

  it('takes the person off the list at once, also when the list cannot be loaded again', async () => {
    const { press, names } = await open([mara, nora], { acts: [placed] });
    serve(http.get('/api/Sites/s1/waitlist', () => HttpResponse.error()));
    await press('Takes the bed').click();
    await expect.element(page.getByText(/^Mara B\. has the bed/)).toBeVisible();
    await expect.poll(names).toEqual(['Nora']);
  });

  it('lets no second press at the same place act for the person who moves up', async () => {
    const { press, become, names } = await open([mara, nora], { acts: [placed] });
    become([nora]);
    const box = press('Takes the bed').element().getBoundingClientRect();
    const underPointer = () =>
      document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('button') ?? null;
    expect(underPointer()).not.toBeNull();
    /** What a press would meet in the moment in which the next row has moved up. */
    const met = new Promise<HTMLElement | null>((resolve) => {
      new MutationObserver((_, observer) => {
        if (names().includes('Mara')) return;
        observer.disconnect();
        resolve(underPointer());
      }).observe(document.body, { childList: true, subtree: true });
    });
    await press('Takes the bed').click();
    expect(await met).toBeNull();
    // It has moved to exactly there, and can be pressed again after a moment.
    await expect.poll(underPointer).toBe(press('Takes the bed', 'Nora B.').element());
  });

  it('leaves the focus on the next row, where no key gives a bed; without one, on the heading', async () => {
    const { press, become, reload, sent } = await open([mara, nora], { acts: [placed] });
    become([nora]);
    (press('Takes the bed').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(focusedRow).toBe('Nora');
    await userEvent.keyboard('{Enter}');
    await userEvent.keyboard('{Tab}{Tab}{Tab}');
    await expect.element(press('Takes the bed', 'Nora B.')).toHaveFocus();
    expect(sent).toHaveLength(1);
    become([]);
    await reload();
    await expect.element(heading).toHaveFocus();
  });

  it('leaves the focus where it was after a refusal, and on the row when the offer is over', async () => {
    const { press, become, reload } = await open([mara, nora], { acts: [() => problem(409, 'The bed is disabled.')] });
    await press('Takes the bed').click();
    await expect.element(page.getByText('Mara B.: The bed is disabled.')).toBeVisible();
    await expect.element(press('Takes the bed')).toHaveFocus();
    become([nora, { ...mara, offer: null }]);
    await reload();
    await expect.poll(focusedRow).toBe('Mara');
  });
});

describe('a third reservation of a person who takes a bed', () => {
  const third: Act = () => problem(409, 'This person has two active reservations.', { code: 'third-reservation' });

  it('is asked about and sent again with allowThird by those allowed', async () => {
    const { press, sent } = await open([mara], { user: admin, acts: [third, placed] });
    await press('Takes the bed').click();
    const dialog = page.getByRole('dialog', { name: 'A third reservation?' });
    await expect.element(dialog.getByText('This person has two active reservations.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Add anyway' }).click();
    await expect.element(page.getByText(/^Mara B\. has the bed House 1 \/ Bed a\./)).toBeVisible();
    expect(sent.map(({ body }) => body)).toEqual([{ version: 3 }, { version: 3, allowThird: true }]);
  });

  it('is not sent again when it is not meant', async () => {
    const { press, sent } = await open([mara], { user: admin, acts: [third] });
    await press('Takes the bed').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(press('Takes the bed')).toHaveFocus();
    expect(sent).toHaveLength(1);
  });

  it('is only refused to intake users', async () => {
    const { press } = await open([mara], { acts: [third] });
    await press('Takes the bed').click();
    await expect.element(page.getByText('Mara B.: This person has two active reservations.')).toBeVisible();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('another command about a person who waits', () => {
  const dialog = page.getByRole('dialog');
  const answer = (name: string) => dialog.getByRole('button', { name });

  it('asks again under the same key when the answer is lost: nobody is told of a change by somebody else', async () => {
    const { press, sent } = await open([mara], { acts: [lost, done] });
    await press('Declines').click();
    await answer('Ask the next person').click();
    await expect.element(dialog.getByText('Not confirmed yet')).toBeVisible();
    backOnline();
    await expect.element(page.getByText('Mara B. stays on the list. The next person is asked.')).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
    const decline = { command: 'DECLINE', reason: null, version: 3 };
    expect(sent.map(({ body }) => body)).toEqual([decline, decline]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[0]?.key).toBeTruthy();
  });

  it('may be left while its outcome is not known; the row stays and says so, and a message tells the outcome', async () => {
    const { press, become, reload, names } = await open([mara, nora], { acts: [lost, done] });
    await press('Take off the list').click();
    await dialog.getByRole('textbox').fill('Found a place');
    await answer('Take off the list').click();
    await expect.element(dialog.getByText('Not confirmed yet')).toBeVisible();
    await dialog.getByText('Close', { exact: true }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    become([nora]);
    await reload();
    expect(names()).toEqual(['Mara', 'Nora']);
    await hasNoAnswer();
    backOnline();
    await expect.element(page.getByText('Mara B. is no longer on the waitlist.')).toBeVisible();
    await expect.poll(names).toEqual(['Nora']);
    await expect.poll(focusedRow).toBe('Nora');
  });

  it('that met a change by others says where to look', async () => {
    const { press } = await open([mara], { acts: [() => problem(412, 'Someone else changed this in the meantime.')] });
    await press('Declines').click();
    await answer('Ask the next person').click();
    await expect
      .element(dialog.getByText('This entry has changed in the meantime. Press Cancel and look at the list.'))
      .toBeVisible();
  });
});

/** Fills in the open form for a person who is to wait. */
async function fillInWanda() {
  const dialog = page.getByRole('dialog', { name: 'Add to waitlist' });
  await fillInGuest(dialog, { firstName: 'Wanda', initial: 'B', email: 'wanda@mail.example' });
  return dialog;
}

it('a person who need not wait becomes a new guest with all that was typed', async () => {
  const free = () => problem(409, 'A bed is available now. Add the guest instead.', { code: 'bed-available' });
  const guests: unknown[] = [];
  const { sent, screen } = await open([mara], { isAdding: true, acts: [free] });
  serve(
    http.post('/api/Guests', async ({ request }) => {
      guests.push(await request.json());
      return HttpResponse.json(guest('g7', { firstName: 'Wanda', lastName: 'B' }), { status: 201 });
    }),
  );
  const form = await fillInWanda();
  const known = form.getByText(/beds? (is|are) available now/);
  await expect.element(known).toBeVisible();
  await form.getByRole('button', { name: 'Add to waitlist' }).click();
  await expect.element(form.getByRole('alert')).toHaveTextContent('A bed is available now.');
  await expectNoViolations();
  await form.getByRole('button', { name: 'New Guest' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Guest' });
  await expect.element(dialog.getByLabelText('First name')).toHaveValue('Wanda');
  await expect.element(dialog.getByRole('button', { name: 'Add guest', exact: true })).toHaveFocus();
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(dialog.getByLabelText('Type of bed')).not.toBeInTheDocument();
  // The bed is gone again, and back: nothing that was typed is lost either way.
  const full = siteDetails([room('1', [bed('a', { guest: guestShort('ana') })])], { isCommercial: false });
  serve(answerGet('/api/Sites/s1', full));
  await screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
  await dialog.getByRole('button', { name: 'Add to waitlist' }).click();
  await expect.element(form.getByLabelText('First name')).toHaveValue('Wanda');
  await expect.element(form.getByLabelText('Type of bed')).toHaveFocus();
  await expect.element(known).not.toBeInTheDocument();
  serve(answerGet('/api/Sites/s1', site));
  await form.getByRole('button', { name: 'Add to waitlist' }).click();
  await form.getByRole('button', { name: 'New Guest' }).click();
  await dialog.getByRole('button', { name: 'Add and choose bed' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations-request/g7');
  expect(guests).toEqual([expect.objectContaining({ firstName: 'Wanda', email: 'wanda@mail.example', siteId: 's1' })]);
  expect(sent).toHaveLength(2);
});

it('a person is put on the list once, also when the answer is lost, and with a third reservation if that is meant', async () => {
  const third: Act = () => problem(409, 'This person has two active reservations.', { code: 'third-reservation' });
  const waits: Act = () => HttpResponse.json(waitingPerson('Wanda'), { status: 201 });
  const { sent } = await open([mara], { user: admin, isAdding: true, acts: [lost, third, waits] });
  const dialog = await fillInWanda();
  await dialog.getByRole('button', { name: 'Add to waitlist' }).click();
  await expect.element(dialog.getByText('Not confirmed yet')).toBeVisible();
  backOnline();
  await page.getByRole('button', { name: 'Add anyway' }).click();
  await expect.element(page.getByText('Wanda B. is on the waitlist.')).toBeVisible();
  const allowed = sent.map(({ body }) => (body as Schemas['NewWaitingGuest']).guest.allowThird);
  expect(allowed).toEqual([undefined, undefined, true]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});
