import { onlineManager } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { changeLanguage } from '@/i18n/i18n';
import { serverNow } from '@/lib/clock';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { NO_FILTERS } from './find-address';
import { FindApp } from './find-app';
import { keepRequest, type KeptRequest, readKeptRequest } from './kept-request';
import { go } from './use-address';

beforeEach(() => sessionStorage.clear());

const minutes = (count: number) => new Date(serverNow() + count * 60_000).toISOString();
const waiting = (changes: Partial<KeptRequest> = {}): KeptRequest => ({
  siteId: 's1',
  id: 'request-1',
  codeExpiresAt: minutes(9),
  phoneEnding: '88',
  confirmKey: 'a3f0c1de-0000-4000-8000-000000000001',
  refusals: 0,
  ...changes,
});

/** Answers every code but 123456 as wrong; returns what was sent. */
function serveCodes() {
  const sent: { otp: string; key: string | null }[] = [];
  serve(
    http.post('/api/public/reservations/:id/confirm', async ({ request }) => {
      const { otp } = (await request.json()) as { otp: string };
      sent.push({ otp, key: request.headers.get('Idempotency-Key') });
      if (otp !== '123456') return problem(422, 'Invalid confirmation code.');
      const made = { code: 'K7M2QX', siteName: 'Harbor', createdAt: minutes(0), expiresAt: minutes(60) };
      return HttpResponse.json({ ...made, cardsUntil: minutes(30) }, { status: 201 });
    }),
  );
  return sent;
}

/** Opens the code step as a reload does. */
async function reopen(request: KeptRequest) {
  keepRequest(request);
  go({ name: 'code', siteId: request.siteId }, { replace: true });
  return renderView(<FindApp />);
}

async function enterCode(code: string) {
  const field = page.getByRole('textbox', { name: 'Code', exact: false });
  await field.fill(code);
  await userEvent.keyboard('{Enter}');
}

describe('the code step after a reload', () => {
  it('is back with its field, and the code makes the reservation', async () => {
    const sent = serveCodes();
    const screen = await reopen(waiting());
    await expect.element(screen.getByText('to …88.', { exact: false })).toBeVisible();
    await expect.element(screen.getByText('The code expires in', { exact: false })).toBeVisible();
    await expectNoViolations();
    await enterCode('123456');
    await expect.element(screen.getByText('Your bed is held. Write down your code: K7M2QX')).toBeVisible();
    await expect.element(screen.getByLabelText('Code of the reservation')).toHaveValue('K7M2QX');
    expect(sent).toEqual([{ otp: '123456', key: waiting().confirmKey }]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('keeps nothing of the guest but two digits, and nothing once it is given up', async () => {
    const screen = await reopen(waiting());
    await expect.element(screen.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
    const names = Object.keys(JSON.parse(sessionStorage.getItem('berth.find.request') ?? '{}') as object);
    expect(names.toSorted()).toEqual([...Object.keys(waiting()), 'lead'].toSorted());
    await screen.getByRole('link', { name: 'Find a bed' }).click();
    await expect.poll(() => sessionStorage.length).toBe(0);
  });

  it('leads to the form when the time of the code is over', async () => {
    serve(http.get('/api/public/sites/s1', () => problem(404, 'Not found.')));
    await reopen(waiting({ codeExpiresAt: minutes(-1) }));
    await expect.poll(() => new URLSearchParams(location.search).get('step')).toBe('reserve');
    expect(sessionStorage).toHaveLength(0);
  });

  it('forgets what is no request of ours', () => {
    sessionStorage.setItem('berth.find.request', '{"id":1}');
    expect(readKeptRequest()).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });
});

describe('a code', () => {
  it('of a text message may be typed with blanks or a hyphen', async () => {
    const sent = serveCodes();
    const screen = await reopen(waiting());
    await expect.element(screen.getByRole('textbox', { name: 'Code' })).toHaveFocus();
    await userEvent.keyboard('12-34 56{Enter}');
    await expect.element(screen.getByText('Your bed is held. Write down your code: K7M2QX')).toBeVisible();
    expect(sent.map(({ otp }) => otp)).toEqual(['123456']);
  });

  it('of a reservation may be typed with blanks or a hyphen, and so may the digits', async () => {
    const asked: string[] = [];
    serve(
      http.get('/api/public/reservations/:code', ({ params, request }) => {
        asked.push(`${String(params['code'])} ${request.headers.get('Phone-Last-Four')}`);
        return problem(404, 'Not found.');
      }),
    );
    go({ name: 'reservation' }, { replace: true });
    const screen = await renderView(<FindApp />);
    await screen.getByLabelText('Code of the reservation').fill(' k7m-2qx ');
    await screen.getByLabelText('Last four digits of your phone number').fill('20-88');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('No reservation found', { exact: false })).toBeVisible();
    expect(asked).toEqual(['K7M2QX 2088']);
  });
});

/** A site of the search with three free beds. */
const found = (fields: Partial<Schemas['PublicSite']> = {}): Schemas['PublicSite'] => ({
  id: 's1',
  name: 'Harbor',
  alias: null,
  description: '',
  address: '1 Harbor Blvd, Anaheim, CA',
  isCommercial: true,
  coverImage: null,
  services: [],
  languages: [],
  availableBeds: 3,
  asOf: minutes(0),
  bedTypes: ['Detox', 'Treatment'],
  holdHours: 24,
  contactPhone: '+17145550100',
  ...fields,
});

/** Opens the search with these sites; `asked` are the searches that reached the server. */
async function search(...items: Schemas['PublicSite'][]) {
  const asked: URLSearchParams[] = [];
  serve(
    http.get('/api/public/sites', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items, totalCount: items.length });
    }),
  );
  go({ name: 'search' }, { replace: true, filters: NO_FILTERS });
  const screen = await renderView(<FindApp />);
  await expect.element(screen.getByText(`${items.length} places found`)).toBeVisible();
  return Object.assign(screen, { asked });
}

describe('the search', () => {
  it('says that free beds are counted over all types where one type is looked for', async () => {
    const screen = await search(found(), found({ id: 's2', name: 'Cove', bedTypes: ['Detox'] }));
    await expect.element(screen.getByText('3 beds free', { exact: true }).first()).toBeVisible();
    await screen.getByLabelText('Type of bed').selectOptions('Detox');
    await screen.getByRole('button', { name: 'Search', exact: true }).click();
    await expect.element(screen.getByText('3 beds free, of all types')).toBeVisible();
    expect(screen.asked.at(-1)?.get('bedType')).toBe('Detox');
    // Where there is no other type the number is that of the type.
    expect(screen.getByText('3 beds free', { exact: true }).elements()).toHaveLength(1);
    await expectNoViolations();
  });

  it('keeps "More filters" open while a filter is set back to any, and the focus after a search', async () => {
    const screen = await search(found(), found({ id: 's2' }));
    await screen.getByText('More filters').click();
    const age = screen.getByLabelText('Age', { exact: true });
    const look = screen.getByRole('button', { name: 'Search', exact: true });
    await age.selectOptions('age-18-26');
    await look.click();
    await expect.poll(() => screen.asked.at(-1)?.get('age')).toBe('age-18-26');
    await age.selectOptions('');
    await expect.element(age).toBeVisible();
    await look.click();
    await expect.poll(() => screen.asked.length).toBe(3);
    await expect.element(age).toBeVisible();
    await expect.element(look).toHaveFocus();
    // It is open for whoever comes by an address with such a filter, too.
    await screen.getByText('More filters').click();
    await expect.element(age).not.toBeVisible();
    go({ name: 'search' }, { filters: { ...NO_FILTERS, gender: 'Female' } });
    await expect.element(screen.getByLabelText('Gender')).toBeVisible();
  });

  it('says first whom to call, and moves nothing when the results come', async () => {
    await page.viewport(390, 844);
    let answer: (response: Response) => void = () => undefined;
    serve(http.get('/api/public/sites', () => new Promise<Response>((resolve) => (answer = resolve))));
    go({ name: 'search' }, { replace: true, filters: { ...NO_FILTERS, place: 'Anaheim' } });
    const screen = await renderView(<FindApp />);
    await expect.element(screen.getByRole('status').getByText('Loading...')).toBeInTheDocument();
    const first = screen.getByRole('banner').element().firstElementChild;
    expect(first?.textContent).toContain('In danger right now? Call 911.');
    const height = () => document.documentElement.scrollHeight;
    const before = height();
    const items = Array.from({ length: 4 }, (_, index) => found({ id: `s${index}`, name: `Harbor ${index}` }));
    answer(HttpResponse.json({ items, totalCount: items.length }));
    await expect.element(screen.getByText('4 places found')).toBeVisible();
    expect(Math.abs(height() - before)).toBeLessThan(80);
    await page.viewport(1360, 900);
  });
});

describe('wrong codes', () => {
  it('are five at most: then only a new code is offered', async () => {
    const sent = serveCodes();
    const screen = await reopen(waiting({ refusals: 3 }));
    await enterCode('111111');
    await expect.element(screen.getByText('This code is incorrect or has expired.', { exact: false })).toBeVisible();
    await expect.element(screen.getByText('The code expires in', { exact: false })).toBeVisible();
    await enterCode('222222');
    await expect.element(screen.getByText('Too many attempts. Get a new code.')).toBeVisible();
    await expect.element(screen.getByText('The code expires in', { exact: false })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Reserve the bed' })).not.toBeInTheDocument();
    const again = screen.getByRole('button', { name: 'Fill in the form again for a new code' });
    await expect.element(again).toHaveAttribute('data-variant', 'filled');
    await expect.element(screen.getByRole('textbox', { name: 'Code' })).toHaveFocus();
    await enterCode('123456');
    await expect.element(screen.getByText('Too many attempts. Get a new code.')).toBeVisible();
    expect(sent.map(({ otp }) => otp)).toEqual(['111111', '222222']);
    await expectNoViolations();
  });
});

it('a refusal that stays English is marked so', async () => {
  serve(
    http.post('/api/public/reservations/:id/confirm', () => problem(409, 'Do not honor.', { code: 'untranslated' })),
  );
  const screen = await reopen(waiting());
  onTestFinished(() => changeLanguage('en'));
  await changeLanguage('es');
  await page.getByRole('textbox').fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Do not honor.');
  await expect.element(screen.getByRole('alert')).toHaveAttribute('lang', 'en');
});

describe('a bed that has gone', () => {
  it('leads to another place, with the focus on the message', async () => {
    const gone = problem(409, 'This site cannot take the reservation now.', { code: 'not-available' });
    serve(http.post('/api/public/reservations/:id/confirm', () => gone.clone()));
    const screen = await reopen(waiting());
    await enterCode('123456');
    await expect.element(screen.getByRole('alert')).toHaveFocus();
    const other = screen.getByRole('button', { name: 'Find another place' });
    await expect.element(other).toBeVisible();
    expect(other.element()).not.toHaveAttribute('data-variant', 'default');
    await expect.element(screen.getByRole('button', { name: 'Reserve the bed' })).not.toBeInTheDocument();
    expect(sessionStorage).toHaveLength(0);
    await expectNoViolations();
  });
});

/** A reservation that waits, looked up. */
async function lookUp() {
  const state = {
    code: 'K7M2QX',
    status: 'waiting',
    asOf: minutes(0),
    expiresAt: minutes(60),
    siteName: 'Harbor',
    address: null,
    contactPhone: '+17145550100',
    intakePeriods: [],
    canCancel: true,
  } as const;
  serve(
    http.get('/api/public/reservations/:code', () => HttpResponse.json(state)),
    http.post('/api/public/reservations/:code/cancel', () =>
      HttpResponse.json({ ...state, status: 'cancelled', canCancel: false, expiresAt: null }),
    ),
  );
  go({ name: 'reservation' }, { replace: true });
  const screen = await renderView(<FindApp />);
  await screen.getByLabelText('Code of the reservation').fill('K7M2QX');
  await screen.getByLabelText('Last four digits of your phone number').fill('2088');
  await screen.getByRole('button', { name: 'Show my reservation' }).click();
  await expect.element(screen.getByText('Waiting for a decision')).toBeVisible();
  return screen;
}

describe('a reservation that was looked up', () => {
  it('gives the focus to the result once it is cancelled', async () => {
    const screen = await lookUp();
    await screen.getByRole('button', { name: 'Cancel this reservation' }).click();
    await screen.getByRole('button', { name: 'Yes, cancel it' }).click();
    await expect.element(screen.getByText('You cancelled this reservation.', { exact: false })).toBeVisible();
    await expect.poll(() => document.activeElement?.textContent).toMatch(/^Cancelled/);
  });

  it('says at once that there is no network, and what was known when', async () => {
    const screen = await lookUp();
    onlineManager.setOnline(false);
    try {
      serve(http.get('/api/public/reservations/:code', () => HttpResponse.error()));
      await screen.getByRole('button', { name: 'Check again' }).click();
      await expect.element(screen.getByRole('alert')).toHaveTextContent(/No connection\. This is what we knew at .+\./);
      await expect.element(screen.getByText('Waiting for a decision')).toBeVisible();
    } finally {
      onlineManager.setOnline(true);
    }
  });
});

describe('My reservation', () => {
  it('tells six digits from the code of a reservation', async () => {
    let asked = 0;
    serve(
      http.get('/api/public/reservations/:code', () => {
        asked += 1;
        return problem(404, 'Not found.');
      }),
    );
    go({ name: 'reservation' }, { replace: true });
    const screen = await renderView(<FindApp />);
    const field = screen.getByLabelText('Code of the reservation');
    await field.fill('104826');
    await screen.getByLabelText('Last four digits of your phone number').fill('2088');
    await screen.getByRole('button', { name: 'Show my reservation' }).click();
    const hint = screen.getByText('This looks like the code from the text message.', { exact: false });
    await expect.element(hint).toBeVisible();
    await expect.element(field).toHaveFocus();
    expect(asked).toBe(0);
    // Without a 0 or a 1 it could be a reservation: that is for the server to say.
    await field.fill('224466');
    await screen.getByRole('button', { name: 'Show my reservation' }).click();
    await expect.poll(() => asked).toBe(1);
    await expect.element(hint).toBeVisible();
  });
});
