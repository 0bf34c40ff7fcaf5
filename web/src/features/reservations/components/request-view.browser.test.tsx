import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { bed, earlierStay, guestShort, room, service, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { anna, ben, inBed, intake, openRequest, site, taken, tearDownRequest } from '@/testing/open-request';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { ChooseBed, RequestView } from './request-view';

afterEach(tearDownRequest);

describe('a person who was here before', () => {
  const line = 'Was here before: 1 stay, last at Harbor House until Mar 31, 2019';
  const items = [earlierStay()];

  it('is told of beside the reservation', async () => {
    serve(answerGet('/api/Guests/anna/earlier', { items }));
    const { screen } = await openRequest();
    await expect.element(screen.getByText(line)).toBeVisible();
    await expectNoViolations();
  });

  it('is not asked for when a guest is only moved', async () => {
    let asked = 0;
    serve(
      http.get('/api/Guests/ben/earlier', () => {
        asked += 1;
        return HttpResponse.json({ items });
      }),
    );
    const { screen } = await openRequest({ of: ben });
    await expect
      .element(screen.getByRole('heading', { name: '1 vacant bed' }).or(screen.getByText('Ben B.').first()))
      .toBeVisible();
    expect(asked).toBe(0);
  });
});

describe('a reservation on its page', () => {
  it('is accepted into the chosen vacant bed', async () => {
    const { screen, sent, choose } = await openRequest();
    await expect.element(screen.getByRole('heading', { name: '2 vacant beds' })).toBeVisible();
    const confirm = screen.getByRole('button', { name: 'Accept into this bed' });
    await choose('Bed d, House 2, Detox');
    await expect.element(screen.getByText('Anna K. → House 2 / Bed d')).toBeVisible();
    await expectNoViolations();
    await confirm.click();
    await expect.element(screen.getByText('Anna K. is now in House 2 / Bed d.')).toBeVisible();
    expect(sent).toEqual([{ id: 'anna', status: 'ACCEPTED', bedId: 'd', version: 1 }]);
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations/s1');
  });

  it.each([
    ['the bed that it was opened for', 'd', 'House 2 / Bed d'],
    ['the bed that fits best, if that bed is taken by now', 'a', 'House 1 / Bed b'],
  ])('proposes %s', async (_what, bedId, place) => {
    const screen = await renderView(<RequestView guest={anna} site={site} supportPhone={null} bedId={bedId} />, {
      user: intake,
    });
    await expect.element(screen.getByText(`Anna K. → ${place}`)).toBeVisible();
  });

  it('is placed by keyboard alone', async () => {
    const { screen, sent } = await openRequest();
    (screen.getByRole('radio').first().element() as HTMLElement).focus();
    await userEvent.keyboard(' {ArrowDown}{Tab}{Enter}');
    await expect.poll(() => sent.map(({ bedId }) => bedId)).toEqual(['d']);
    await expect.element(screen.getByText('Anna K. is now in House 2 / Bed d.')).toBeVisible();
  });

  it('shows the taken and disabled beds on demand, none of them to choose', async () => {
    const { screen } = await openRequest();
    await expect.element(screen.getByText('Ben B2')).not.toBeInTheDocument();
    await screen.getByRole('switch', { name: 'Show all beds' }).click();
    await expect.element(screen.getByText('Ben B2')).toBeVisible();
    await expect.poll(() => screen.getByRole('radio').elements().length).toBe(2);
  });

  it('fits a phone in the dark', async () => {
    await page.viewport(390, 844);
    writePreference('colorScheme', 'dark');
    const { screen, choose } = await openRequest();
    await choose('Bed b, House 1, Detox');
    await expect.element(screen.getByRole('button', { name: 'Accept into this bed' })).toBeVisible();
    await expectNoViolations();
  });
});

describe('the bed that fits', () => {
  const many = siteDetails(
    [
      room('1', [bed('s', { type: 'Sober Living' }), bed('t', { type: 'Treatment' })]),
      room('2', [
        bed('x', { guest: guestShort('max', { gender: 'Male' }) }),
        bed('d'),
        bed('u', { type: 'Treatment' }),
      ]),
    ],
    { services: [service('gender-male', 'Male', 'Gender'), service('medical-detox', 'Medical detox', 'General')] },
  );
  const inNeed = { ...anna, services: [service('medical-detox', 'Medical detox', 'General')] };
  const radios = (screen: Awaited<ReturnType<typeof openRequest>>['screen']) =>
    screen
      .getByRole('radio')
      .elements()
      .map((radio) => radio.getAttribute('aria-label'));

  it('comes first, is chosen already, and says why: one press accepts', async () => {
    const { screen, sent } = await openRequest({ of: inNeed, at: many });
    const best = screen.getByRole('radio', { name: 'Bed d, House 2, Detox' });
    await expect.element(best).toBeChecked();
    await expect.element(best).toHaveAccessibleDescription(/Best fit: Detox bed/);
    await expect.element(screen.getByText('Best fit: Detox bed', { exact: true })).toBeVisible();
    expect(radios(screen)[0]).toBe('Bed d, House 2, Detox');
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.poll(() => sent.map(({ bedId }) => bedId)).toEqual(['d']);
  });

  it('is warned of where only guests of another gender live, and of what the site does not offer', async () => {
    const { screen } = await openRequest({ of: inNeed, at: many });
    await expect
      .element(screen.getByRole('radio', { name: 'Bed d, House 2, Detox' }))
      .toHaveAccessibleDescription(/Guests of another gender in this house/);
    await expect.element(screen.getByText('Harbor House does not offer: Female.')).toBeVisible();
  });

  it.each([
    ['only women live', ['Female'], 'Best fit: Detox bed, guests of the same gender in this house'],
    ['men live too', ['Female', 'Male'], 'Best fit: Detox bed. Men and women live in this house.'],
  ] as const)('of a house where %s says so', async (_who, genders, text) => {
    const guests = genders.map((gender) => bed(gender, { guest: guestShort(gender, { gender }) }));
    const { screen } = await openRequest({ of: inNeed, at: siteDetails([room('1', [...guests, bed('d')])]) });
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  });

  it('is filtered by type, and what will be taken is always seen', async () => {
    const { screen } = await openRequest({ of: inNeed, at: many });
    await screen.getByRole('combobox', { name: 'Bed type' }).selectOptions('Treatment (2)');
    expect(radios(screen)).toEqual(['Bed t, House 1, Treatment', 'Bed u, House 2, Treatment']);
    await expect.element(screen.getByRole('radio', { name: 'Bed t, House 1, Treatment' })).toBeChecked();
    await expect.element(screen.getByText('Anna K. → House 1 / Bed t')).toBeVisible();
    await screen.getByRole('combobox', { name: 'Bed type' }).selectOptions('All types (4)');
    await expect.poll(() => radios(screen).length).toBe(4);
  });

  it('is not proposed for a guest who has a bed: why the guest moves is not known', async () => {
    const { screen } = await openRequest({ of: ben });
    for (const radio of screen.getByRole('radio').all()) await expect.element(radio).not.toBeChecked();
    await expect
      .element(screen.getByRole('button', { name: 'Reassign to this bed' }))
      .toHaveAttribute('aria-disabled', 'true');
  });

  it.each([
    ['taken by somebody else', { guest: guestShort('eve') }, 'House 2 / Bed d has just been taken.'],
    ['disabled', { disabled: true }, 'House 2 / Bed d has just been disabled.'],
    [
      'offered to somebody who waits',
      { offeredUntil: '2026-11-21T20:00:00.000Z' },
      'House 2 / Bed d is now on offer to someone on the waitlist.',
    ],
  ])('once %s is said to be lost; no other bed slips under the button', async (_, change, sentence) => {
    const { screen } = await openRequest({ of: inNeed, at: many });
    await expect.element(screen.getByRole('radio', { name: 'Bed d, House 2, Detox' })).toBeChecked();
    const rooms = many.rooms.map((one) => ({
      ...one,
      beds: one.beds.map((other) => (other.id === 'd' ? { ...other, ...change } : other)),
    }));
    screen.queryClient.setQueryData(['site of the test'], { ...many, rooms });
    await expect.element(screen.getByRole('alert')).toHaveTextContent(sentence);
    await expect
      .element(screen.getByRole('button', { name: 'Accept into this bed' }))
      .toHaveAttribute('aria-disabled', 'true');
    // On a phone it stands above the beds that are looked at.
    expect(screen.getByRole('alert').element().parentElement).toBe(document.activeElement);
  });

  it.each([
    ['first on a phone', 390, true],
    ['beside the guest in a wide window', 1360, false],
  ])('stands %s, for the keyboard too', async (_, width, isFirst) => {
    await page.viewport(width, 844);
    const { screen } = await openRequest({ of: inNeed, at: many });
    const beds = screen.getByRole('radiogroup').element();
    const who = screen.getByRole('heading', { name: 'Anna K.', exact: true }).element();
    expect(Boolean(beds.compareDocumentPosition(who) & Node.DOCUMENT_POSITION_FOLLOWING)).toBe(isFirst);
    expect(beds.getBoundingClientRect().bottom < who.getBoundingClientRect().top).toBe(isFirst);
  });
});

describe('a refusal', () => {
  it('409 is explained with the fresh state and the next free bed, which is taken by one press', async () => {
    const { screen, sent, choose } = await openRequest({
      answer: ({ bedId }) =>
        bedId === 'b'
          ? problem(409, 'This bed has just been taken by another guest. Choose a vacant bed.', {
              guest: anna,
              nextFreeBed: { bedId: 'd', bedName: 'Bed d', roomName: 'House 2' },
            })
          : undefined,
    });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    const alert = screen.getByRole('alert');
    await expect.element(alert).toHaveTextContent('This bed has just been taken by another guest.');
    await expect.element(alert).toHaveTextContent("The guest's status is now: Pending.");
    await expect.poll(() => document.activeElement?.contains(alert.element())).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Choose House 2 / Bed d instead' }).click();
    await expect.element(screen.getByRole('radio', { name: 'Bed d, House 2, Detox' })).toBeChecked();
    await expect.element(screen.getByRole('radio', { name: 'Bed d, House 2, Detox' })).toHaveFocus();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.poll(() => sent.map(({ bedId }) => bedId)).toEqual(['b', 'd']);
  });

  it('offers another bed in whole words on a phone, however long the name of the house is', async () => {
    await page.viewport(390, 844);
    const roomName = 'House of the Morning Star in Newport Beach';
    const { screen, choose } = await openRequest({
      answer: () =>
        problem(409, 'This bed has just been taken by another guest. Choose a vacant bed.', {
          guest: anna,
          nextFreeBed: { bedId: 'd', bedName: 'Bed d', roomName },
        }),
    });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    const offer = screen.getByRole('button', { name: `Choose ${roomName} / Bed d instead` });
    await expect.element(offer).toBeVisible();
    const { right, height } = offer.element().getBoundingClientRect();
    expect(right).toBeLessThan(screen.getByRole('alert').element().getBoundingClientRect().right);
    expect(offer.element().scrollWidth).toBeLessThanOrEqual(offer.element().clientWidth);
    expect(height).toBeGreaterThanOrEqual(44);
  });

  it('of a bed that went to another guest names who gave it away, and says that this guest still waits', async () => {
    const { screen, choose } = await openRequest({
      answer: () =>
        problem(409, 'This bed has just been taken by another guest. Choose a vacant bed.', {
          code: 'bed-taken',
          guest: anna,
          changedBy: { name: 'Ines Moreno', isYou: false, at: '2026-03-02T18:00:00.000Z' },
        }),
    });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    const alert = screen.getByRole('alert');
    await expect
      .element(alert)
      .toHaveTextContent(/Ines Moreno put another guest into Bed b at .+\. Anna K\. is still waiting\./);
    await expect.element(alert).not.toHaveTextContent("The guest's status is now");
    await expect.element(alert).not.toHaveTextContent('did this');
  });

  it.each([
    ['an intake user', intake, 'Ask an owner of Harbor Recovery'],
    ['an owner', currentUser({ role_owner_organization_ids: 'o1' }), 'You are an owner of Harbor Recovery'],
    ['a global admin', currentUser({ role_global: true }), 'An owner of Harbor Recovery starts the subscription'],
  ])('402 tells %s who can help', async (_who, user, text) => {
    const { screen, choose } = await openRequest({
      user,
      answer: () => problem(402, 'A subscription is needed.', { code: 'subscription-needed' }),
    });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    const alert = screen.getByRole('alert');
    await expect.element(alert).toHaveTextContent('Accepting needs an active subscription');
    await expect.element(alert).toHaveTextContent(text);
    await expect.element(alert).toHaveTextContent('+1 (714) 555-0100');
    await expectNoViolations();
  });
});

describe('one intent', () => {
  it('is what a double click sends', async () => {
    const { screen, sent, choose } = await openRequest();
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).dblClick();
    await expect.element(screen.getByText('Anna K. is now in House 1 / Bed b.')).toBeVisible();
    expect(sent).toHaveLength(1);
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  });

  it('is done once it succeeded, also for a press that comes before the screen is left', async () => {
    const { sent, screen: first } = await openRequest();
    await first.unmount();
    const stays = () => undefined;
    const screen = await renderView(
      <ChooseBed purpose="accept" guest={anna} site={site} supportPhone={null} onMove={stays} onPlaced={stays} />,
      { user: intake },
    );
    const confirm = screen.getByRole('button', { name: 'Accept into this bed' });
    await confirm.click();
    await expect.element(screen.getByText('Anna K. is now in House 1 / Bed b.')).toBeVisible();
    (confirm.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    expect(sent).toHaveLength(1);
  });

  it('keeps its key when the answer is lost; the page says that nothing is known yet', async () => {
    const { screen, keys, choose } = await openRequest({
      answer: (_update, time) => (time === 1 ? (HttpResponse.error() as Response) : undefined),
    });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByText('Not confirmed yet')).toBeVisible();
    await expectNoViolations();
    await expect.element(screen.getByText('Anna K. is now in House 1 / Bed b.')).toBeVisible();
    expect(keys[0]).toBe(keys[1]);
    expect(keys).toHaveLength(2);
  });
});

it('a bed that waits for the guest to arrive is said to be reserved', async () => {
  const { screen, choose } = await openRequest({
    answer: ({ bedId }) => HttpResponse.json({ ...inBed(anna, site, bedId), isArriving: true }),
  });
  await choose('Bed b, House 1, Detox');
  await screen.getByRole('button', { name: 'Accept into this bed' }).click();
  await expect.element(screen.getByText('House 1 / Bed b is reserved for Anna K.')).toBeVisible();
});

it('an accept can be undone from its message', async () => {
  const { screen, sent, choose } = await openRequest({
    answer: ({ status }) =>
      status === 'UNDO'
        ? HttpResponse.json({ ...anna, status: 'pending', version: 3, room: null, bed: null })
        : undefined,
  });
  await choose('Bed b, House 1, Detox');
  await screen.getByRole('button', { name: 'Accept into this bed' }).click();
  await expect.element(screen.getByText('Anna K. is now in House 1 / Bed b.')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('Anna K. has no bed. The reservation is pending again.')).toBeVisible();
  expect(sent.map(({ status, bedId, version }) => [status, bedId, version])).toEqual([
    ['ACCEPTED', 'b', 1],
    ['UNDO', null, 2],
  ]);
});

describe('other guests on the page', () => {
  it('one with a bed is reassigned, and the move can be undone', async () => {
    const moved = { ...inBed(ben, site, 'd'), status: 'reassigned' as const };
    const { screen, sent, choose } = await openRequest({ of: ben, answer: () => HttpResponse.json(moved) });
    await expect.element(screen.getByText('Current bed: House 1 / Bed a')).toBeVisible();
    await choose('Bed d, House 2, Detox');
    await screen.getByRole('button', { name: 'Reassign to this bed' }).click();
    await expect.element(screen.getByText('Ben B. is now in House 2 / Bed d.')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByText('Ben B. is back in House 1 / Bed a.')).toBeVisible();
    expect(sent).toEqual([
      { id: 'ben', status: 'REASSIGNED', bedId: 'd', version: 4 },
      { id: 'ben', status: 'REASSIGNED', bedId: 'a', version: 5 },
    ]);
  });

  it.each(['rejected', 'discharged', 'expired'] as const)('one that is %s gets no bed', async (status) => {
    const { screen } = await openRequest({ of: { ...anna, status } });
    await expect.element(screen.getByText('This reservation can no longer be accepted.')).toBeVisible();
    await expect.element(screen.getByRole('radio')).not.toBeInTheDocument();
  });

  it('staff may look, but not assign', async () => {
    const { screen } = await openRequest({ user: currentUser({ role_staff_site_ids: 's1' }) });
    await expect.element(screen.getByText('You can view this guest, but you cannot assign beds.')).toBeVisible();
    await expect.element(screen.getByRole('radio')).not.toBeInTheDocument();
  });

  it('no vacant bed is said with what to do', async () => {
    const { screen } = await openRequest({ at: siteDetails([room('1', [taken])]) });
    await expect.element(screen.getByText('No beds', { exact: true })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Accept into this bed' })).not.toBeInTheDocument();
  });
});
