import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { MoveGuestsBoard } from '@/features/bed-board/components/move-guests-board';
import { AssignBed } from '@/features/history/components/assign-bed';
import { HouseForm } from '@/features/houses/components/house-form';
import { RequestView } from '@/features/reservations/components/request-view';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { siteQuery } from '@/features/sites/api/site-query';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, service, siteDetails } from '@/testing/bed-builders';
import { serveBoard } from '@/testing/board-world';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { PlacementReason } from './placement-reason';

afterEach(async () => {
  tellUserForgotten();
  cleanNotifications();
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const intake = currentUser({ role_intake_site_ids: 's1' });
const admin = currentUser({ role_admin_site_ids: 's1' });
/** A user who has moves to vacant beds made without a question. */
const unasked = (role: Parameters<typeof currentUser>[0]) =>
  currentUser({ ...role, views: { 'setting.moves-unasked': 'on' } });
const houses = [
  room('men', [bed('m')], { meantFor: ['gender-male'] }),
  room('women', [bed('w')], { meantFor: ['adults', 'gender-female'] }),
];
const anna = guest('anna', { firstName: 'Anna', lastName: 'K', gender: 'Female' });
const NEEDED = 'This placement is against the rules of the site or the house. Enter a reason to override them.';

/** The server refuses a placement until a reason is given. */
function strict(of: Schemas['Guest']) {
  const sent: Schemas['GuestUpdate'][] = [];
  const keys = new Set<string | null>();
  serve(
    http.patch<never, Schemas['GuestUpdate']>('/api/Guests/:id', async ({ request }) => {
      const update = await request.json();
      sent.push(update);
      keys.add(request.headers.get('Idempotency-Key'));
      if (!update.placementReason) return problem(409, NEEDED, { code: 'placement-reason-needed', guest: of });
      const status = of.status === 'pending' ? ('accepted' as const) : ('reassigned' as const);
      return HttpResponse.json({ ...of, status, version: of.version + 1, assignedBedId: update.bedId ?? null });
    }),
  );
  return { sent, keys };
}

interface Opened {
  rooms?: readonly Schemas['Room'][];
  user?: typeof admin;
  isStrict?: boolean;
  services?: Schemas['Service'][];
  bedId?: string;
}

async function openAccept({ rooms = houses, user = admin, isStrict = true, services = [], bedId }: Opened = {}) {
  const site = siteDetails(rooms, { strictPlacement: isStrict, services });
  const screen = await renderView(
    <>
      <RequestView guest={anna} site={site} supportPhone={null} bedId={bedId} />
      <PlacementReason />
    </>,
    { user },
  );
  screen.queryClient.setQueryData(siteQuery('s1').queryKey, site);
  return screen;
}

const radio = (screen: Awaited<ReturnType<typeof openAccept>>, id: string, house: string) =>
  screen.getByRole('radio', { name: `Bed ${id}, House ${house}, Detox` });
const checked = () => document.querySelectorAll('input[type="radio"]:checked').length;

describe('the page that accepts a guest', () => {
  it('proposes a bed that is for the guest, and says of the others whom they are not for', async () => {
    const screen = await openAccept();
    await expect.element(screen.getByRole('radio', { name: 'Bed w, House women, Detox' })).toBeChecked();
    const men = screen.getByRole('radio', { name: 'Bed m, House men, Detox' });
    await expect.element(men).toHaveAccessibleDescription('Not for: Female. You will be asked for a reason.');
    const heads = screen.getByRole('heading', { level: 3 }).elements();
    expect(heads.map((head) => head.textContent)).toEqual([
      'House women1 of 1 vacant · For: Female, Adults',
      'House men1 of 1 vacant · For: Male',
    ]);
    await expectNoViolations();
  });

  it('asks for a reason where the site is strict, and sends the same command with it', async () => {
    const { sent, keys } = strict(anna);
    const screen = await openAccept();
    await screen.getByRole('radio', { name: 'Bed m, House men, Detox' }).click();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Place Anna K. against the rules?' });
    await expect.element(dialog.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
    await expect.element(dialog.getByText('House men / Bed m is not for: Female', { exact: true })).toBeVisible();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Place anyway' }).click();
    await expect.element(dialog.getByText('Enter a reason.')).toBeVisible();
    await userEvent.keyboard('Her brother lives there');
    await dialog.getByRole('button', { name: 'Place anyway' }).dblClick();
    await expect.element(screen.getByText(/^Anna K\. is now in/)).toBeVisible();
    const command = { id: 'anna', status: 'ACCEPTED', bedId: 'm', version: 1 };
    expect(sent).toEqual([command, { ...command, placementReason: 'Her brother lives there' }]);
    expect(keys.size).toBe(2);
  });

  it('is as before when no reason is given, with the sentence of the server', async () => {
    const { sent } = strict(anna);
    const screen = await openAccept();
    await screen.getByRole('radio', { name: 'Bed m, House men, Detox' }).click();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.element(screen.getByText(NEEDED)).toBeVisible();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });

  it('shows the question on a phone in the dark', async () => {
    writePreference('colorScheme', 'dark');
    await page.viewport(390, 780);
    strict(anna);
    const screen = await openAccept();
    await screen.getByRole('radio', { name: 'Bed m, House men, Detox' }).click();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByRole('dialog').getByRole('textbox', { name: 'Reason' })).toBeVisible();
    await expectNoViolations();
  });
});

const menOnly = [room('men', [bed('m'), bed('n', { type: 'Treatment' })], { meantFor: ['gender-male'] })];
const detox = service('medical-detox', 'Medical detox', 'General');

describe('where no vacant bed is for the guest', () => {
  it.each([
    ['a site that warns', admin, false, 'You can still choose one.', true],
    ['an admin of a strict site', admin, true, 'If you choose one, you will be asked for a reason.', true],
    ['intake at a strict site', intake, true, 'An admin or owner can place the guest with a reason.', false],
  ])('%s is told so, and no bed is chosen', async (_where, user, isStrict, what, canChoose) => {
    const screen = await openAccept({ rooms: menOnly, user, isStrict });
    await expect.element(screen.getByText(`No vacant bed is for this guest. ${what}`)).toBeVisible();
    expect(checked()).toBe(0);
    await expectNoViolations();
    await radio(screen, 'm', 'men').click({ force: true });
    expect(checked()).toBe(canChoose ? 1 : 0);
    await expect
      .poll(() => screen.getByRole('button', { name: 'Accept into this bed' }).query() !== null)
      .toBe(canChoose);
  });

  it('nothing is said to fit', async () => {
    const site = siteDetails(menOnly, { services: [detox] });
    const screen = await renderView(
      <RequestView guest={{ ...anna, services: [detox] }} site={site} supportPhone={null} />,
      { user: admin },
    );
    await expect.element(radio(screen, 'm', 'men')).toHaveAccessibleDescription('This house is not for: Female');
    expect(screen.getByText(/Fits|fit:/).query()).toBeNull();
  });

  it('a filter by type chooses none either', async () => {
    const screen = await openAccept({ rooms: menOnly, isStrict: false });
    await radio(screen, 'm', 'men').click();
    await screen.getByRole('combobox', { name: 'Bed type' }).selectOptions('Treatment (1)');
    await expect.element(screen.getByText('Choose a vacant bed.')).toBeVisible();
    expect(checked()).toBe(0);
  });

  it('is the case in every house of a strict site that does not serve the guest', async () => {
    const services = [service('gender-male', 'Male', 'Gender')];
    const screen = await openAccept({ rooms: [room('all', [bed('a')])], services, user: intake });
    await expect.element(screen.getByText(/^No vacant bed is for this guest\./)).toBeVisible();
    await expect
      .element(radio(screen, 'a', 'all'))
      .toHaveAccessibleDescription('Not for: Female. Only an admin or owner can place here.');
  });

  it('a strict site does not propose the bed that the page was opened for', async () => {
    const screen = await openAccept({ bedId: 'm' });
    await expect.element(radio(screen, 'w', 'women')).toBeChecked();
  });
});

describe('intake at a strict site', () => {
  const WORDS = 'Not for: Female. Only an admin or owner can place here.';
  const NEEDS_ADMIN =
    'This placement is against the rules of the site or the house. Only an admin or owner can override them.';

  it('cannot choose a bed that is not for the guest, and reads why, by keyboard too', async () => {
    const screen = await openAccept({ user: intake });
    const men = radio(screen, 'm', 'men');
    await expect.element(men).toHaveAttribute('aria-disabled', 'true');
    await expect.element(men).toHaveAccessibleDescription(WORDS);
    await expect.element(screen.getByText(WORDS)).toBeVisible();
    await expectNoViolations();
    await men.click({ force: true });
    await expect.element(radio(screen, 'w', 'women')).toBeChecked();
    (radio(screen, 'w', 'women').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(men).toHaveFocus();
    await expect.element(men).not.toBeChecked();
    await expect.element(radio(screen, 'w', 'women')).toBeChecked();
    await expect.element(screen.getByText('Anna K. → House women / Bed w')).toBeVisible();
  });

  it('has the proposed bed chosen again if the server refuses another one, without a word about the status', async () => {
    const open = room('open', [bed('o')]);
    serve(
      http.patch('/api/Guests/:id', () => problem(409, NEEDS_ADMIN, { code: 'placement-needs-admin', guest: anna })),
    );
    const screen = await openAccept({ rooms: [houses[1], open].filter((one) => one !== undefined), user: intake });
    await radio(screen, 'o', 'open').click();
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent(NEEDS_ADMIN);
    await expect.element(screen.getByRole('alert')).not.toHaveTextContent('status');
    await expect.element(radio(screen, 'w', 'women')).toBeChecked();
  });

  it.each([
    ['cannot undo', intake, false],
    ['leaves to admins the undo of', admin, true],
  ])('%s a move that leaves a bed that is not for the guest', async (_what, user, canUndo) => {
    const house = room('men', [bed('m', { guest: guestShort('anna') })], { meantFor: ['gender-male'] });
    const moved = { ...anna, status: 'accepted' as const, assignedBedId: 'm' };
    serve(http.patch('/api/Guests/:id', () => HttpResponse.json({ ...moved, status: 'reassigned', version: 2 })));
    const site = siteDetails([house, room('open', [bed('o')])], { strictPlacement: true });
    const screen = await renderView(<RequestView guest={moved} site={site} supportPhone={null} />, { user });
    await radio(screen, 'o', 'open').click();
    await screen.getByRole('button', { name: 'Reassign to this bed' }).click();
    await expect.element(screen.getByText(/^Anna K\. is now in/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Undo', exact: true }).elements().length).toBe(canUndo ? 1 : 0);
  });

  it.each([true, false])(
    'is offered a bed that is for the guest in place of a lost one, strict: %s',
    async (isStrict) => {
      const nextFreeBed = { bedId: 'm', bedName: 'Bed m', roomName: 'House men' };
      serve(
        http.patch('/api/Guests/:id', () =>
          problem(409, 'This bed was just taken.', { code: 'bed-taken', guest: anna, nextFreeBed }),
        ),
      );
      const rooms = [...houses, room('more', [bed('x')], { meantFor: ['gender-female'] })];
      const screen = await openAccept({ rooms, user: intake, isStrict });
      await radio(screen, 'x', 'more').click();
      await screen.getByRole('button', { name: 'Accept into this bed' }).click();
      await expect.element(screen.getByRole('button', { name: 'Choose House women / Bed w instead' })).toBeVisible();
    },
  );
});

/** A board where Ana is in a bed of House 1, and Wes waits; House 1 and House 2 are for `meantFor`. */
async function openBoard({
  user = admin,
  isStrict = false,
  meantFor = ['gender-male'],
  other = [],
  answer,
}: Board = {}) {
  const world = serveBoard(answer);
  const ana = guestShort('ana', { displayName: 'Ana A1', gender: 'Female' });
  const ben = guestShort('ben', { displayName: 'Ben B2', firstName: 'Ben', lastName: 'C', gender: 'Male' });
  const rooms = [
    room('1', [bed('a', { guest: ana })], { meantFor: other }),
    room('2', [bed('b'), bed('d', { guest: ben })], { meantFor }),
    room('3', [bed('e')]),
  ];
  serve(answerGet('/api/Sites/s1', siteDetails(rooms, { strictPlacement: isStrict })));
  const screen = await renderView(
    <>
      <MoveGuestsBoard subject="s1" onClose={() => undefined} />
      <PlacementReason />
    </>,
    { user },
  );
  const press = (name: string) => screen.getByRole('button', { name, exact: true });
  await expect.element(press('Move Ana A1')).toBeVisible();
  return { screen, world, press, said: () => document.querySelector('[role="dialog"] p[role="status"]')?.textContent };
}
interface Board {
  user?: typeof admin;
  isStrict?: boolean;
  /** Whom House 2 is for. */
  meantFor?: string[];
  /** Whom House 1 is for. */
  other?: string[];
  answer?: Parameters<typeof serveBoard>[0];
}

const IN_BED_A = { status: 'accepted', assignedBedId: 'a' } as const;
const ADMIN_NEEDED =
  'This placement is against the rules of the site or the house. Only an admin or owner can override them.';
const toasts = () => document.querySelectorAll('.mantine-Notification-root').length;

describe('the board', () => {
  it('warns before a guest gets a bed that is not for them, also if it otherwise asks nothing', async () => {
    const { screen, world, press } = await openBoard({ user: unasked({ role_admin_site_ids: 's1' }) });
    await press('Move Ana A1').click();
    await press('Assign to Bed b, House 2').click();
    await expect.element(screen.getByText('That house is not for Ana A1: Female.')).toBeVisible();
    await expectNoViolations();
    expect(world.moves).toEqual([]);
    await press('Assign').click();
    await expect.poll(() => world.moves.length).toBe(1);
  });

  it('knows the age of guests in beds, too', async () => {
    const age = service('age-18-26', '18 to 26', 'Age');
    const { screen, press } = await openBoard({ meantFor: ['age-over-27'] });
    serve(answerGet('/api/Guests', onePage([guest('ana', { status: 'accepted', assignedBedId: 'a', age })])));
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1', 'guests'] });
    await press('Move Ana A1').click();
    await press('Assign to Bed b, House 2').click();
    await expect.element(screen.getByText('That house is not for Ana A1: 18 to 26.')).toBeVisible();
  });

  const BARRED = 'Not for Ana A1: Female. Only an admin or owner can place here.';

  it('of a strict site offers intake no bed that is not for the guest, and asks nothing', async () => {
    const { screen, world, press, said } = await openBoard({ user: intake, isStrict: true });
    await press('Move Ana A1').click();
    const barred = press('Bed b, House 2, not for this guest');
    await expect.element(barred).toHaveAttribute('aria-disabled', 'true');
    await expect.element(barred).toHaveAccessibleDescription(BARRED);
    await expect.element(press('Bed d, House 2, occupied by Ben B2')).toHaveAccessibleDescription(BARRED);
    await expect.element(press('Assign to Bed e, House 3')).not.toHaveAttribute('aria-disabled');
    await barred.click({ force: true });
    await expect.element(screen.getByText(`Ana A1 was not moved. ${BARRED}`).first()).toBeVisible();
    await expect.poll(said).toBe(`Ana A1 was not moved. ${BARRED}`);
    await expectNoViolations();
    expect(screen.getByRole('button', { name: 'Assign', exact: true }).query()).toBeNull();
    await press('Assign to Bed e, House 3').click();
    await press('Assign').click();
    await expect.poll(() => world.moves.map(({ bedId }) => bedId)).toEqual(['e']);
  });

  it('begins there with the first bed that is for the guest', async () => {
    const { press } = await openBoard({ user: intake, isStrict: true });
    await press('Move Wes W3').click();
    await expect.element(press('Assign to Bed e, House 3')).toHaveFocus();
  });

  it.each([
    ['intake no undo of', intake, false],
    ['admins the undo of', admin, true],
  ])('offers %s a move that leaves a bed that is not for the guest', async (_whom, user, canUndo) => {
    const { screen, world, press } = await openBoard({ user, isStrict: true, meantFor: [], other: ['gender-male'] });
    await press('Move Ana A1').click();
    await press('Assign to Bed e, House 3').click();
    await press('Assign').click();
    await expect.element(screen.getByText('Ana A1 is now in Bed e, House 3.').first()).toBeVisible();
    expect(world.moves.length).toBe(1);
    expect(screen.getByRole('button', { name: 'Undo', exact: true }).elements().length).toBe(canUndo ? 1 : 0);
  });

  it('bars a swap that is against the rules for the other guest', async () => {
    const { press } = await openBoard({ user: intake, isStrict: true, meantFor: [], other: ['gender-female'] });
    await press('Move Ana A1').click();
    await expect
      .element(press('Bed d, House 2, occupied by Ben B2'))
      .toHaveAccessibleDescription('Not for Ben B2: Male. Only an admin or owner can place here.');
  });

  it('asks nothing after a drop there either, nor without questions', async () => {
    const user = unasked({ role_intake_site_ids: 's1' });
    const { screen, world, press } = await openBoard({ user, isStrict: true });
    const marked = new Set<string | undefined>();
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) marked.add((target as HTMLElement).dataset.dropBed);
    });
    observer.observe(document.body, { subtree: true, attributeFilter: ['data-over'] });
    await screen.getByText('Ana A1', { exact: true }).dropTo(screen.getByText('Bed b', { exact: true }), { steps: 8 });
    observer.disconnect();
    expect(marked.has('b')).toBe(false);
    await expect.element(screen.getByText(`Ana A1 was not moved. ${BARRED}`).first()).toBeVisible();
    await expect.element(press('Move Ana A1')).toHaveFocus();
    expect([world.moves.length, toasts()]).toEqual([0, 0]);
  });

  it.each([
    [320, 640],
    [844, 390],
  ])(
    'tells a refusal by the rules once, in calm words, and leaves room for the beds at %i x %i',
    async (wide, high) => {
      await page.viewport(wide, high);
      const { screen, press, said } = await openBoard({
        user: intake,
        answer: () => problem(409, ADMIN_NEEDED, { code: 'placement-needs-admin', guest: guest('ana', IN_BED_A) }),
      });
      await press('Move Ana A1').click();
      await press('Assign to Bed e, House 3').click();
      await press('Assign').click();
      const told = screen.getByRole('alert').filter({ hasText: ADMIN_NEEDED });
      await expect.element(told).toHaveTextContent(`Ana A1 was not moved. ${ADMIN_NEEDED}`);
      await expect.poll(said).toBe(`Ana A1 was not moved. ${ADMIN_NEEDED}`);
      expect(screen.getByText(/error occurred/i).query()).toBeNull();
      expect([told.elements().length, toasts()]).toEqual([1, 0]);
      // The button that has the focus again is not covered.
      const move = press('Move Ana A1');
      await expect.element(move).toHaveFocus();
      const isSeen = () => {
        const { left, top, width, height } = move.element().getBoundingClientRect();
        return move.element().contains(document.elementFromPoint(left + width / 2, top + height / 2));
      };
      await expect.poll(isSeen).toBe(true);
      expect(told.element().getBoundingClientRect().height).toBeLessThan(high / 3);
      await expectNoViolations();
    },
  );

  it('asks about a swap with both guests and beds', async () => {
    const answer: Board['answer'] = () =>
      problem(409, NEEDED, {
        code: 'placement-reason-needed',
        guest: guest('ana', { firstName: 'Ana', lastName: 'A', assignedBedId: 'a' }),
      });
    const { screen, press } = await openBoard({ isStrict: true, other: ['gender-female'], answer });
    await press('Move Ana A1').click();
    await press('Swap with Ben B2, Bed d, House 2').click();
    await press('Swap').click();
    const asked = screen.getByRole('dialog', { name: 'Swap Ana A. and Ben C. against the rules?' });
    await expect.element(asked.getByText('House 2 / Bed d is not for Ana A.: Female')).toBeVisible();
    await expect.element(asked.getByText('House 1 / Bed a is not for Ben C.: Male')).toBeVisible();
    await expectNoViolations();
  });

  it('says the same once when an admin gives no reason', async () => {
    const answer: Board['answer'] = () =>
      problem(409, NEEDED, {
        code: 'placement-reason-needed',
        guest: guest('ana', { firstName: 'Ana', lastName: 'A' }),
      });
    const { screen, press } = await openBoard({ isStrict: true, answer });
    await press('Move Ana A1').click();
    await press('Assign to Bed b, House 2').click();
    await press('Assign').click();
    const asked = screen.getByRole('dialog', { name: 'Place Ana A. against the rules?' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(screen.getByText(`Ana A1 was not moved. ${NEEDED}`).first()).toBeVisible();
    expect(toasts()).toBe(0);
  });

  it('offers no bed that is not for the guest in place of a lost one', async () => {
    const nextFreeBed = { bedId: 'b', bedName: 'Bed b', roomName: 'House 2' };
    const answer: Board['answer'] = () =>
      problem(409, 'This bed was just taken.', {
        code: 'bed-taken',
        guest: guest('ana', { status: 'accepted', assignedBedId: 'a' }),
        nextFreeBed,
      });
    const { screen, press } = await openBoard({ answer });
    await press('Move Ana A1').click();
    await press('Assign to Bed e, House 3').click();
    await press('Assign').click();
    await expect.element(screen.getByText('An error occurred while assigning the bed.').first()).toBeVisible();
    expect(press('Assign Ana A1 to Bed b, House 2').query()).toBeNull();
  });
});

describe('the beds of the guest panel', () => {
  const openBeds = async (user: typeof admin, rooms: readonly Schemas['Room'][]) => {
    const sent: Schemas['GuestUpdate'][] = [];
    serve(
      http.patch<never, Schemas['GuestUpdate']>('/api/Guests/:id', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ ...anna, status: 'accepted', version: 2 });
      }),
    );
    const site = siteDetails(rooms, { strictPlacement: true });
    const nothing = () => undefined;
    const beds = <AssignBed guest={anna} site={site} kind="accept" onBack={nothing} onPlaced={nothing} />;
    return { sent, screen: await renderView(beds, { user }) };
  };

  it('are not to be chosen by intake where they are not for the guest', async () => {
    const { screen, sent } = await openBeds(intake, houses);
    const men = screen.getByRole('button', { name: 'Bed m, House men, Detox' });
    await expect.element(men).toHaveAttribute('aria-disabled', 'true');
    await expect.element(men).toHaveAccessibleDescription('Not for: Female. Only an admin or owner can place here.');
    expect(screen.getByText(/^No vacant bed/).query()).toBeNull();
    await expectNoViolations();
    await men.click({ force: true });
    await screen.getByRole('button', { name: 'Bed w, House women, Detox' }).click();
    await expect.poll(() => sent.map(({ bedId }) => bedId)).toEqual(['w']);
  });

  it('may all not be for the guest, which is said', async () => {
    const { screen } = await openBeds(intake, menOnly);
    await expect
      .element(
        screen.getByText('No vacant bed is for this guest. An admin or owner can place the guest with a reason.'),
      )
      .toBeVisible();
  });

  it('can be chosen by an admin, who is told that a reason is asked for', async () => {
    const { screen, sent } = await openBeds(admin, menOnly);
    const men = screen.getByRole('button', { name: 'Bed m, House men, Detox' });
    await expect.element(men).toHaveAccessibleDescription('Not for: Female. You will be asked for a reason.');
    await men.click();
    await expect.poll(() => sent.length).toBe(1);
  });
});

describe('the form of a house', () => {
  it('says whom the house is for', async () => {
    const sent: unknown[] = [];
    serve(
      http.put('/api/Rooms/women', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(houses[1]);
      }),
    );
    const site = siteDetails(houses);
    const screen = await renderView(<HouseForm site={site} room={site.rooms[1]} onDone={() => undefined} />, {
      user: admin,
    });
    const group = screen.getByRole('group', { name: 'Who this house is for' });
    await expect.element(group.getByRole('checkbox', { name: 'Female' })).toBeChecked();
    await expect.element(group.getByRole('checkbox', { name: 'Adults', exact: true })).toBeChecked();
    await expectNoViolations();
    await group.getByRole('checkbox', { name: 'Adults', exact: true }).click();
    await group.getByRole('checkbox', { name: '18 to 26' }).click();
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => sent).toMatchObject([{ name: 'House women', meantFor: ['age-18-26', 'gender-female'] }]);
  });

  it.each([
    ['a site that warns', false, 'Guests who do not fit get these beds proposed last, with a warning.'],
    ['a strict site', true, 'Only an admin or owner can place guests who do not fit, with a reason.'],
  ])('names its groups, and says what comes of the rules at %s', async (_site, strictPlacement, what) => {
    const site = siteDetails(houses, { strictPlacement });
    const screen = await renderView(<HouseForm site={site} onDone={() => undefined} />, { user: admin });
    const hint = `Leave a group empty if this house has no limit in it. ${what}`;
    await expect.element(screen.getByText(hint, { exact: true })).toBeVisible();
    const group = (name: string) => screen.getByRole('group', { name, exact: true });
    await expect.element(group('Gender').getByRole('checkbox', { name: 'Other' })).toBeVisible();
    await expect.element(group('Age').getByRole('checkbox', { name: '18 to 26' })).toBeVisible();
    await expect.element(group('Type of client').getByRole('checkbox', { name: 'Veterans' })).toBeVisible();
    await expectNoViolations();
  });

  it('leaves the rules as they are for staff, who may edit houses and not the site', async () => {
    const sent: unknown[] = [];
    serve(
      http.put('/api/Rooms/women', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(houses[1]);
      }),
    );
    const site = siteDetails(houses, { isCommercial: false });
    const screen = await renderView(<HouseForm site={site} room={site.rooms[1]} onDone={() => undefined} />, {
      user: currentUser({ role_staff_site_ids: 's1' }),
    });
    await screen.getByRole('textbox', { name: 'House name' }).fill('Rose House');
    expect(screen.getByRole('checkbox').elements()).toEqual([]);
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => sent).toEqual([{ name: 'Rose House', imagePath: null, version: 1 }]);
  });

  it('asks for no type of client at a site whose guests have none', async () => {
    const site = siteDetails(houses, { isCommercial: false });
    const screen = await renderView(<HouseForm site={site} onDone={() => undefined} />, { user: admin });
    await expect.element(screen.getByRole('checkbox', { name: 'Female' })).toBeVisible();
    expect(screen.getByRole('checkbox', { name: 'Adults', exact: true }).query()).toBeNull();
  });
});
