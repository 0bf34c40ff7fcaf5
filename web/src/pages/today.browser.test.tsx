import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { todayKeys } from '@/features/today/api/keys';
import { pressMarked } from '@/components/press-marked';
import { changeLanguage, loadTexts } from '@/i18n/i18n';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { bed, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';

import {
  S1,
  S2,
  intake,
  staff,
  inMinutes,
  waiting,
  move,
  stay,
  anna,
  ben,
  cora,
  shift,
  NOTHING,
  Page,
  serveToday,
  open,
  serveUpdates,
  without,
  rows,
  marked,
  names,
  setUpToday,
  siteOf,
  harbor,
  tearDownToday,
} from '@/testing/today-world';

beforeEach(setUpToday);
afterEach(tearDownToday);

describe('what needs a decision', () => {
  it('stands in the order of the server, with all that a decision needs', async () => {
    const { screen } = await open();
    await expect.element(screen.getByRole('heading', { name: 'Needs a decision (3)' })).toBeVisible();
    expect(names()).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
    const [first, , last] = rows();
    for (const text of [
      'ANNA',
      'Harbor House',
      'Medical detox',
      'Medi-Cal Orange County',
      '18 to 26, Female',
      'min left',
    ]) {
      expect(first?.textContent).toContain(text);
    }
    expect(last?.textContent).toContain('No time limit');
    await expect
      .element(screen.getByRole('link', { name: '+1 (714) 555-0134' }))
      .toHaveAttribute('href', 'tel:+17145550134');
    expect(document.title).toBe('Today · Berth');
    await expectNoViolations();
  });

  it('shows what is left of the hold as a bar too', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(3);
    const widths = rows().map((row) =>
      Number.parseFloat(row.querySelector<HTMLElement>('[aria-hidden] > span[style]')?.style.width ?? ''),
    );
    expect(widths[0]).toBeCloseTo(25, 0);
    expect(widths[1]).toBeCloseTo(66.7, 0);
    expect(widths[2]).toBeNaN();
  });

  it('leads from a name to the guest', async () => {
    const { screen } = await open();
    await screen.getByRole('link', { name: 'Ben B.' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/guest/${S2}/ben`);
  });

  it('is accepted in place: the row goes, the next one has the focus, and the accept can be undone', async () => {
    const { screen, world } = await open();
    const site = siteDetails([room('1', [bed('a'), bed('b')])], { id: S1, isCommercial: false });
    serve(
      answerGet(`/api/Sites/${S1}`, site),
      answerGet('/api/Guests', onePage([anna.guest])),
      answerGet('/api/Guests/anna', anna.guest),
    );
    const sent = serveUpdates(world, (today, id, status) => (status === 'UNDO' ? shift() : without(today, id)));
    await screen.getByRole('button', { name: 'Accept Anna B. ANNA' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Accept Anna B.' });
    await dialog.getByRole('radio', { name: 'Bed b, House 1, Detox' }).click();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.poll(names).toEqual(['Ben B.', 'Cora B.']);
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
    expect(sent).toEqual([{ id: 'anna', status: 'ACCEPTED', bedId: 'b', version: 1 }]);
    expect(screen.router.state.location.pathname).toBe('/today');
    await screen.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
    expect(sent.at(-1)).toMatchObject({ id: 'anna', status: 'UNDO', version: 2 });
  });

  it('is proposed a bed that is vacant by now, not one that was filled since the beds were last shown', async () => {
    const { screen, world } = await open();
    const beds = [bed('a'), bed('b')];
    let asked = 0;
    serve(
      http.get(`/api/Sites/${S1}`, async () => {
        asked += 1;
        // The answer after the first accept comes when its dialog is closed, and is not waited for.
        if (asked === 2) await delay('infinite');
        return HttpResponse.json(siteDetails([room('1', beds)], { id: S1, isCommercial: false }));
      }),
      http.get('/api/Guests', () => HttpResponse.json(onePage([anna.guest, cora.guest]))),
      http.get('/api/Guests/:id', ({ params }) => HttpResponse.json(params.id === 'anna' ? anna.guest : cora.guest)),
    );
    const sent = serveUpdates(world, (today, id) => {
      beds[0] = bed('a', { guest: guestShort('anna') });
      return without(today, id);
    });
    await screen.getByRole('button', { name: 'Accept Anna B. ANNA' }).click();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Accept Cora B. CORA' }).click();
    await expect.element(screen.getByRole('radio', { name: 'Bed b, House 1, Detox' })).toBeChecked();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.poll(() => sent.map(({ id, bedId }) => `${id} ${bedId}`)).toEqual(['anna a', 'cora b']);
  });

  it('is declined in place; after the last row the focus is on the one before, then on the heading', async () => {
    const { screen, world } = await open(shift({ waiting: [anna, ben] }));
    const sent = serveUpdates(world, without);
    const decline = async (name: string) => {
      await screen.getByRole('button', { name: `Decline ${name}` }).click();
      const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
      await question.getByRole('button', { name: 'Decline' }).click();
      await expect.element(question).not.toBeInTheDocument();
    };
    await decline('Ben B. BEN');
    await expect.poll(names).toEqual(['Anna B.']);
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toHaveFocus();
    await decline('Anna B. ANNA');
    await expect.element(screen.getByText('Nothing needs a decision')).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'Needs a decision (0)' })).toHaveFocus();
    expect(sent.map(({ id, status }) => `${id} ${status}`)).toEqual(['ben REJECTED', 'anna REJECTED']);
  });

  it('is declined by keyboard alone', async () => {
    const { screen, world } = await open();
    const sent = serveUpdates(world, without);
    await expect.element(screen.getByRole('button', { name: 'Decline Anna B. ANNA' })).toBeVisible();
    screen.getByRole('button', { name: 'Decline Anna B. ANNA' }).element().focus();
    await userEvent.keyboard('{Enter}');
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.tab();
    await expect.element(question.getByRole('button', { name: 'Decline' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
    expect(sent).toHaveLength(1);
  });

  it('is decided by the keys a and d on the row with the focus, and by the same key in the dialog', async () => {
    const { screen, world } = await open();
    const site = siteDetails([room('1', [bed('a')])], { id: S1, isCommercial: false });
    serve(
      answerGet(`/api/Sites/${S1}`, site),
      answerGet('/api/Guests', onePage([anna.guest])),
      answerGet('/api/Guests/anna', anna.guest),
    );
    const sent = serveUpdates(world, without);
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
    pressMarked('a');
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toHaveFocus();
    pressMarked('a');
    await expect.element(screen.getByRole('button', { name: 'Accept into this bed' })).toBeVisible();
    pressMarked('a');
    await expect.element(screen.getByRole('button', { name: 'Accept Ben B. BEN' })).toHaveFocus();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    pressMarked('d');
    const question = screen.getByRole('dialog', { name: /^Decline the reservation for Ben/ });
    await expect.element(question).toBeVisible();
    expect(sent.map(({ id, status, bedId }) => `${id} ${status} ${bedId}`)).toEqual(['anna ACCEPTED a']);
  });

  it.each([
    ['a desk', 1360, 900],
    ['a phone', 390, 844],
  ])('tells at once, on %s, that its site needs a subscription, and whom to ask', async (_where, width, height) => {
    await page.viewport(width, height);
    const wanda = waiting('wanda', 'Wanda', { source: 'Web' }, { ...harbor, isCommercial: true });
    const { screen } = await open(shift({ waiting: [wanda] }));
    serve(
      answerGet(`/api/Sites/${S1}`, siteDetails([room('1', [bed('a')])], { id: S1 })),
      answerGet('/api/Guests', onePage([wanda.guest])),
      answerGet('/api/Guests/wanda', wanda.guest),
      http.get('/api/Subscriptions/site-status', () => problem(404, 'Not found.')),
    );
    await screen.getByRole('button', { name: 'Accept Wanda B. WANDA' }).click();
    const notice = screen.getByRole('dialog', { name: /^Accept Wanda B\./ }).getByRole('alert');
    await expect.element(notice).toHaveTextContent('Accepting needs an active subscription');
    await expect.element(notice).toHaveTextContent('Ask an owner of Harbor Recovery');
    await expect.poll(() => notice.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(height);
    expect(notice.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
    expect(screen.getByRole('radio').elements()).toEqual([]);
    expect(screen.getByText('Choose a vacant bed.').query()).toBeNull();
    await expectNoViolations();
  });

  it('keeps a row whose decision was refused, and says why', async () => {
    const { screen } = await open();
    serve(http.patch('/api/Guests/:id', () => problem(409, 'Someone else decided.', { guest: anna.guest })));
    await screen.getByRole('button', { name: 'Decline Anna B. ANNA' }).click();
    const question = screen.getByRole('dialog', { name: /^Decline the reservation/ });
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect.element(question.getByText(/Someone else decided/)).toBeVisible();
    expect(names()).toEqual(['Anna B.', 'Ben B.', 'Cora B.']);
  });

  it('offers staff no decision and shows no phone', async () => {
    const { screen } = await open(shift(), staff);
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Accept|Decline)/ }).elements()).toHaveLength(0);
    expect(document.querySelector('a[href^="tel:"]')).toBeNull();
    await expectNoViolations();
  });

  it('says how many are not shown', async () => {
    const { screen } = await open(shift({ waitingTotal: 1200 }));
    await expect.element(screen.getByText('The first 3 of 1,200 are shown.', { exact: false })).toBeVisible();
  });

  it('is asked for again when a hold ends', async () => {
    const soonOver = waiting('dora', 'Dora', { expiresAt: inMinutes(1 / 60) });
    const { world, asked } = await open(shift({ waiting: [soonOver, ben] }));
    await expect.poll(names).toEqual(['Dora B.', 'Ben B.']);
    world.today = shift({ waiting: [ben] });
    await expect.poll(names).toEqual(['Ben B.']);
    expect(asked.length).toBe(2);
  });

  it('marks a row that has just come, and says so', async () => {
    const { screen, world } = await open(shift({ waiting: [anna, ben] }));
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.']);
    expect(marked()).toEqual([]);
    world.today = shift({ waiting: [anna, cora, ben] });
    await screen.queryClient.invalidateQueries({ queryKey: todayKeys.all });
    await expect.poll(marked).toEqual(['Cora B.']);
    await expect.element(screen.getByText('New in the list: Cora B. CORA')).toHaveAttribute('role', 'status');
    world.today = shift({ waiting: [anna, cora] });
    await screen.queryClient.invalidateQueries({ queryKey: todayKeys.all });
    await expect.poll(marked).toEqual([]);
    await expect.element(screen.getByText('New in the list', { exact: false })).not.toBeInTheDocument();
  });

  it('marks no row that other filters bring', async () => {
    const { screen, world } = await open(shift({ waiting: [anna] }), intake, `/today?siteId=${S1}`);
    await expect.poll(names).toEqual(['Anna B.']);
    world.today = shift({ waiting: [anna, ben] });
    await screen.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(names).toEqual(['Anna B.', 'Ben B.']);
    expect(marked()).toEqual([]);
  });
});

describe('what is free now', () => {
  const site = (name: string) =>
    page.getByRole('list', { name: 'Free now' }).getByRole('listitem').filter({ hasText: name });

  it('leads with available, has vacant and held beside it, and each bed type', async () => {
    const { screen } = await open();
    await expect.element(site('Harbor House').first()).toHaveTextContent(/5 available\s*9 vacant, 4 held/);
    await expect.element(site('Bay House').first()).toHaveTextContent(/0 available\s*9 vacant, 9 held/);
    const types = screen.getByRole('list', { name: 'Available at Harbor House by bed type' });
    await expect.element(types).toHaveTextContent('Detox 5');
    await expect.element(types).toHaveTextContent('Sober Living 0');
    await site('Harbor House').first().getByRole('link', { name: 'Harbor House', exact: true }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/${S1}`);
  });
});

it('bed types that add up to more than the site can promise are said to be upper limits', async () => {
  const free = [
    { type: 'Detox', beds: 12, vacant: 6, available: 5 },
    { type: 'Sober Living', beds: 8, vacant: 3, available: 3 },
    { type: 'Treatment', beds: 2, vacant: 0, available: 0 },
  ] as const;
  const { screen } = await open(shift({ sites: [{ ...siteOf(harbor, 9, 4), free: [...free] }] }));
  const types = screen.getByRole('list', { name: 'Available at Harbor House by bed type' }).getByRole('listitem');
  await expect
    .poll(() => types.elements().map((type) => type.textContent))
    .toEqual(['Detox up to 5', 'Sober Living up to 3', 'Treatment 0']);
});

describe('the filters', () => {
  it('stand in the address, go to the server, and are cleared by one press', async () => {
    const { screen, asked } = await open();
    await screen.getByRole('combobox', { name: 'Service' }).selectOptions('Medical detox');
    await screen.getByRole('combobox', { name: 'Payer' }).selectOptions('Medicaid or Medi-Cal');
    await screen.getByRole('combobox', { name: 'Site' }).click();
    await screen.getByRole('option', { name: 'Bay House' }).click();
    await expect
      .poll(() => screen.router.state.location.search)
      .toEqual({ service: 'medical-detox', payer: 'MediCal', siteId: S2 });
    await expect
      .poll(() => Object.fromEntries(new URLSearchParams(asked.at(-1))))
      .toEqual({ service: 'medical-detox', payer: 'MediCal', siteId: S2 });
    await screen.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => screen.router.state.location.search).toEqual({});
    await expect.element(screen.getByRole('button', { name: 'Clear filters' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { name: 'Today', exact: true })).toHaveFocus();
  });

  it('are read from the address, and what makes no sense is left out', async () => {
    const { screen, asked } = await open(shift(), intake, `/today?siteId=nonsense&service=medical-detox&payer=%3Cb%3E`);
    await expect.element(screen.getByRole('combobox', { name: 'Service' })).toHaveValue('medical-detox');
    expect(asked).toEqual(['?service=medical-detox']);
  });

  it('of a site that the user does not have, and of a service that there is not, are ignored', async () => {
    const world = { today: shift() };
    const asked = serveToday(world);
    serve(
      http.get('/api/Today', ({ request }) => {
        const { search, searchParams } = new URL(request.url);
        asked.push(search);
        const errors = [{ pointer: '/service', message: 'This value cannot be used here.', code: 'not-usable' }];
        return searchParams.has('service')
          ? problem(422, 'Please check the marked fields.', { errors })
          : HttpResponse.json(world.today);
      }),
    );
    await loadTexts('today', 'reservations', 'guests', 'houses', 'catalog');
    const path = `/today?service=nonsense&siteId=0190a000-0000-7000-8000-00000000ffff&payer=MediCal`;
    const screen = await renderView(<Page />, { user: intake, path });
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
    await expect.poll(() => screen.router.state.location.search).toEqual({ payer: 'MediCal' });
    expect(asked.at(-1)).toBe('?payer=MediCal');
    expect(screen.getByText('Failed to load').elements()).toEqual([]);
  });

  it('say so when they leave nothing', async () => {
    const { screen } = await open(NOTHING, intake, '/today?service=medical-detox');
    await expect
      .element(screen.getByText('Some results are hidden by filters. Clear the filters to see everything.').first())
      .toBeVisible();
  });

  it('have no site for a user with one', async () => {
    serve(answerGet('/api/Sites', onePage([{ ...siteDetails([]), id: S1 }])));
    const { screen } = await open();
    await expect.element(screen.getByRole('combobox', { name: 'Service' })).toBeVisible();
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Site' }).elements()).toHaveLength(0);
  });
});

describe('the screen', () => {
  it('says what comes where nothing is there yet', async () => {
    const { screen } = await open(NOTHING);
    await expect.element(screen.getByText('Nothing needs a decision')).toBeVisible();
    await expect.element(screen.getByText('No sites yet')).toBeVisible();
    await expect.element(screen.getByText('No moves yet today.')).toBeVisible();
    await expect.element(screen.getByText('No stay ends soon.')).toBeVisible();
    await expectNoViolations();
  });

  it('says when it cannot be loaded, and tries again', async () => {
    serveToday({ today: shift() });
    let isBroken = true;
    serve(http.get('/api/Today', () => (isBroken ? problem(403, 'Not for you.') : undefined)));
    await loadTexts('today', 'reservations', 'guests', 'houses', 'catalog');
    const screen = await renderView(<Page />, { user: intake, path: '/today' });
    await expect.element(screen.getByText('Not for you.')).toBeVisible();
    isBroken = false;
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('Anna B.')).toBeVisible();
  });

  it.each(['light', 'dark'] as const)('fits a phone, %s', async (scheme) => {
    await page.viewport(390, 844);
    writePreference('colorScheme', scheme);
    const { screen } = await open(shift({ moves: [move('moved')], soon: [stay('z', 'Zoe', 1)], soonTotal: 1 }));
    await expect.element(screen.getByRole('button', { name: 'Accept Anna B. ANNA' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await expectNoViolations();
  });

  it('speaks Spanish', async () => {
    const { screen } = await open();
    await changeLanguage('es');
    await expect.element(screen.getByRole('heading', { name: 'Necesitan una decisión (3)' })).toBeVisible();
  });
});
