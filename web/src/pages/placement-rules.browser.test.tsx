import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { MoveGuestsBoard } from '@/features/bed-board/components/move-guests-board';
import { HouseForm } from '@/features/houses/components/house-form';
import { RequestView } from '@/features/reservations/components/request-view';
import { clearPreference, writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { serveBoard } from '@/testing/board-world';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { PlacementReason } from './placement-reason';

afterEach(async () => {
  tellUserForgotten();
  cleanNotifications();
  clearPreference('movesUnasked');
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const admin = currentUser({ role_admin_site_ids: 's1' });
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

async function openAccept() {
  const site = siteDetails(houses, { strictPlacement: true });
  return renderView(
    <>
      <RequestView guest={anna} site={site} supportPhone={null} />
      <PlacementReason />
    </>,
    { user: admin },
  );
}

describe('the page that accepts a guest', () => {
  it('proposes a bed that is for the guest, and says of the others whom they are not for', async () => {
    const screen = await openAccept();
    await expect.element(screen.getByRole('radio', { name: 'Bed w, House women, Detox' })).toBeChecked();
    const men = screen.getByRole('radio', { name: 'Bed m, House men, Detox' });
    await expect.element(men).toHaveAccessibleDescription('This house is not for: Female');
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

describe('the board', () => {
  it('warns before a guest gets a bed that is not for them, also if it otherwise asks nothing', async () => {
    writePreference('movesUnasked', 'yes');
    const world = serveBoard();
    const ana = guestShort('ana', { displayName: 'Ana A1', gender: 'Female' });
    const house = room('1', [bed('a', { guest: ana }), bed('b')], { meantFor: ['gender-male'] });
    serve(answerGet('/api/Sites/s1', siteDetails([house])));
    const screen = await renderView(<MoveGuestsBoard subject="s1" onClose={() => undefined} />, { user: admin });
    await screen.getByRole('button', { name: 'Move Ana A1', exact: true }).click();
    await screen.getByRole('button', { name: 'Assign to Bed b, House 1', exact: true }).click();
    await expect.element(screen.getByText('That house is not for Ana A1: Female.')).toBeVisible();
    await expectNoViolations();
    expect(world.moves).toEqual([]);
    await screen.getByRole('button', { name: 'Assign', exact: true }).click();
    await expect.poll(() => world.moves.length).toBe(1);
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

  it('asks for no type of client at a site whose guests have none', async () => {
    const site = siteDetails(houses, { isCommercial: false });
    const screen = await renderView(<HouseForm site={site} onDone={() => undefined} />, { user: admin });
    await expect.element(screen.getByRole('checkbox', { name: 'Female' })).toBeVisible();
    expect(screen.getByRole('checkbox', { name: 'Adults', exact: true }).query()).toBeNull();
  });
});
