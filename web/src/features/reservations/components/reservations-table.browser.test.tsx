import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import type { TableState } from '@/components/data-table/data-table.types';
import { pressMarked } from '@/components/press-marked';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, earlierStay, guest, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { printedSheets } from '@/testing/print';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';
import { NewGuestButton } from './new-guest-button';
import { ReservationDialog } from './reservation-dialog';
import { ReservationsTable } from './reservations-table';

afterEach(async () => {
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const soon = new Date(Date.now() + 30 * 60_000).toISOString();
const past = new Date(Date.now() - 1000).toISOString();
const detox = { id: 'detox', name: 'Medical detox', category: 'General', type: null } as const;
const anna = guest('a', {
  firstName: 'Anna',
  lastName: 'K',
  code: 'K7M2QX',
  displayName: 'Anna K. K7M2QX',
  phone: '+17145550134',
  email: 'anna@mail.example',
  services: [detox],
  expiresAt: soon,
  source: 'Web',
  organizationReservationPaymentMethod: {
    reservationPaymentMethodName: 'Insurance',
    reservationPaymentMethodCategory: 'Insurance',
  },
  insuranceCompanyName: 'Meridian Mutual',
  policyNumber: 'MM-8',
  groupNumber: 'G7',
  insuranceCardFront: '/favicon.svg',
});
const ben = guest('b', { firstName: 'Ben', displayName: 'Ben C. C2D3F4', createdAt: '2026-11-19T10:00:00.000Z' });
const late = guest('l', { displayName: 'Late L. L2L3L4', expiresAt: past });
const placed = guest('p', { displayName: 'Placed P. P2P3P4', status: 'accepted' });
const commercial = siteDetails([room('1', [bed('x'), bed('y'), bed('z')])]);
const free = { ...commercial, isCommercial: false };
const intake = currentUser({ role_intake_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });

async function openTable({ site = commercial, user = intake, guests = [anna, ben, late, placed] } = {}) {
  const on = { onOpen: vi.fn(), onAccept: vi.fn(), onDecline: vi.fn() };
  function Table() {
    const [state, setState] = useState<TableState>({ page: 0, size: 5, direction: 'asc', dense: false });
    return <ReservationsTable site={site} guests={guests} state={state} onStateChange={setState} {...on} />;
  }
  return Object.assign(await renderView(<Table />, { user }), on);
}

describe('the reservations table', () => {
  it('shows every service of a guest', async () => {
    const names = ['Medical detox', 'Case management', 'Family therapy', 'Drug treatment', 'Wheelchair access'];
    const services = names.map((name) => ({ id: name, name, category: 'General', type: null }) as const);
    const screen = await openTable({ guests: [{ ...anna, services }] });
    const cell = screen.getByText(/^Medical detox, .*Wheelchair access$/).first();
    await expect.element(cell).toBeVisible();
    const { scrollHeight, clientHeight } = cell.element();
    expect(scrollHeight).toBe(clientHeight);
  });

  it.each([
    ['row', 1360],
    ['card', 390],
  ])('lights a %s that has just come for two seconds, and says so', async (_, width) => {
    await page.viewport(width, 844);
    let arrive: (guests: (typeof anna)[]) => void = () => undefined;
    function Table() {
      const [guests, setGuests] = useState([anna]);
      arrive = setGuests;
      const [state, setState] = useState<TableState>({ page: 0, size: 5, direction: 'asc', dense: false });
      const on = { onOpen: vi.fn(), onAccept: vi.fn(), onDecline: vi.fn() };
      return <ReservationsTable site={commercial} guests={guests} state={state} onStateChange={setState} {...on} />;
    }
    const screen = await renderView(<Table />, { user: intake });
    await expect.element(screen.getByText('Anna K. K7M2QX')).toBeVisible();
    const lit = () => [...document.querySelectorAll('[data-new]')];
    expect(lit()).toEqual([]);
    arrive([anna, ben]);
    await expect.poll(() => lit().map((row) => row.textContent)).toEqual([expect.stringContaining('Ben C. C2D3F4')]);
    const [motion] = lit()[0]?.getAnimations() ?? [];
    expect(motion?.effect?.getTiming().duration).toBe(2000);
    await expect.element(screen.getByText('New in the list: Ben C. C2D3F4')).toHaveAttribute('role', 'status');
    await expectNoViolations();
    arrive([anna]);
    await expect.poll(lit).toEqual([]);
  });

  it('gives a row that has just come an edge where the user wants no motion', async () => {
    const reduce = (value: string) => ({ features: [{ name: 'prefers-reduced-motion', value }] });
    await cdp().send('Emulation.setEmulatedMedia', reduce('reduce'));
    try {
      const screen = await renderView(<div data-new>Ben</div>);
      const { animationName, boxShadow } = getComputedStyle(screen.getByText('Ben').element());
      expect(animationName).toBe('none');
      expect(boxShadow).toContain('inset');
    } finally {
      await cdp().send('Emulation.setEmulatedMedia', reduce(''));
    }
  });

  it('is printed with every column, on a phone too, and without phone numbers for staff', async () => {
    await page.viewport(390, 844);
    const screen = await openTable();
    await expect.element(screen.getByText('Anna K. K7M2QX')).toBeVisible();
    const [sheet] = printedSheets();
    expect(sheet).toMatch(/^Pending reservations: Harbor House/);
    expect(sheet).toMatch(/Anna K. K7M2QX.*714.*555-0134.*Medical detox.*Meridian Mutual.*MM-8.*G7/);
    await screen.unmount();
    const asStaff = await openTable({ user: staff });
    await expect.element(asStaff.getByText('Anna K. K7M2QX')).toBeVisible();
    expect(printedSheets()[0]).not.toContain('555-0134');
  });

  it('shows those who wait, the most urgent first, and what is left of the hold in words', async () => {
    const screen = await openTable();
    const rows = screen.getByRole('row');
    await expect.element(rows.nth(1)).toHaveTextContent('Late L. L2L3L4');
    await expect.element(rows.nth(2)).toHaveTextContent('Anna K. K7M2QX');
    await expect.element(rows.nth(3)).toHaveTextContent('Ben C. C2D3F4');
    await expect.element(rows.nth(2)).toHaveTextContent(/(29|30) min left/);
    await expect.element(screen.getByText('Placed P. P2P3P4')).not.toBeInTheDocument();
    await expectNoViolations();
  });

  it('counts down with one timer, however many rows there are', async () => {
    const timers = vi.spyOn(globalThis, 'setInterval');
    const screen = await openTable();
    await expect.element(screen.getByText(/min left/)).toBeVisible();
    await expect.element(screen.getByText('Hold has ended')).toBeVisible();
    expect(timers.mock.calls.filter(([, period]) => period === 1000)).toHaveLength(1);
    timers.mockRestore();
  });

  it('keeps a reservation that the server calls live, whatever the clock of the browser says', async () => {
    const screen = await openTable();
    const row = screen.getByRole('row').filter({ hasText: 'Late L. L2L3L4' });
    await expect.element(row).toHaveTextContent('Hold has ended');
    await expect.element(row.getByRole('button', { name: 'Accept Late L. L2L3L4' })).toBeVisible();
  });

  it.each([
    [
      'at a commercial site',
      commercial,
      intake,
      ['Name', 'Phone', 'Reservation date', 'Services', 'Insurance Information'],
    ],
    ['for staff', commercial, staff, ['Name', 'Reservation date', 'Services', 'Insurance Information']],
    ['at a non-commercial site', free, intake, ['Name', 'Phone', 'Reservation date', 'MediCal', 'Services']],
  ])('has its columns %s', async (_where, site, user, columns) => {
    const screen = await openTable({ site, user });
    await expect.element(screen.getByText('Anna K. K7M2QX')).toBeVisible();
    const headers = screen
      .getByRole('columnheader')
      .elements()
      .map((header) => header.textContent);
    expect(headers.filter((header) => header !== 'Actions' && header !== '')).toEqual(columns);
  });

  it('grows with the page instead of scrolling in itself', async () => {
    await page.viewport(1360, 900);
    const screen = await openTable();
    await expect.element(screen.getByText('Anna K. K7M2QX')).toBeVisible();
    const list = screen.getByRole('table').element().closest('[role=region]');
    expect(list && getComputedStyle(list).maxHeight).toBe('none');
  });

  it('has insurance at commercial sites', async () => {
    const screen = await openTable();
    await expect.element(screen.getByRole('columnheader', { name: 'Insurance Information' })).toBeVisible();
    await expect.element(screen.getByText('Insurance · Meridian Mutual')).toBeVisible();
    await expect.element(screen.getByText('Policy MM-8')).toBeVisible();
    await expect.element(screen.getByRole('columnheader', { name: 'MediCal' })).not.toBeInTheDocument();
  });

  it('has MediCal at non-commercial sites', async () => {
    const screen = await openTable({ site: free });
    await expect.element(screen.getByRole('columnheader', { name: 'MediCal' })).toBeVisible();
    await expect.element(screen.getByRole('columnheader', { name: 'Insurance Information' })).not.toBeInTheDocument();
  });

  it('has no phone and no actions for staff', async () => {
    const screen = await openTable({ user: staff });
    await expect.element(screen.getByText('Anna K. K7M2QX')).toBeVisible();
    await expect.element(screen.getByRole('columnheader', { name: 'Phone' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: /Accept/ })).not.toBeInTheDocument();
  });

  it.each(['light', 'dark'] as const)(
    'shows Accept and Decline at rest, stronger under the mouse, when %s',
    async (scheme) => {
      writePreference('colorScheme', scheme);
      const screen = await openTable();
      const accept = screen.getByRole('button', { name: 'Accept Anna K. K7M2QX' });
      const decline = screen.getByRole('button', { name: 'Decline Anna K. K7M2QX' });
      const look = (button: typeof accept) => {
        const { opacity, visibility, borderTopColor, color, backgroundColor } = getComputedStyle(button.element());
        return { opacity, visibility, borderTopColor, color, backgroundColor };
      };
      await userEvent.hover(screen.getByRole('textbox'));
      const clear = 'rgba(0, 0, 0, 0)';
      for (const button of [accept, decline]) {
        await expect.element(button).toBeVisible();
        expect(look(button)).toMatchObject({ opacity: '1', visibility: 'visible', backgroundColor: clear });
        expect(look(button).borderTopColor).not.toBe(clear);
      }
      // The first choice does not look like the second.
      expect(look(accept).color).not.toBe(look(decline).color);
      await expectNoViolations();
      await userEvent.hover(screen.getByText('Anna K.'));
      await expect.poll(() => look(accept).backgroundColor).not.toBe(clear);
      await expect.poll(() => look(decline).backgroundColor).not.toBe(clear);
    },
  );

  it('decides by the keyboard: the actions show with the focus', async () => {
    const screen = await openTable();
    const accept = screen.getByRole('button', { name: 'Accept Anna K. K7M2QX' });
    (accept.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    expect(screen.onAccept).toHaveBeenCalledWith(anna);
    expect(screen.onOpen).not.toHaveBeenCalled();
    await screen.getByRole('button', { name: 'Decline Anna K. K7M2QX' }).click();
    expect(screen.onDecline).toHaveBeenCalledWith(anna);
  });

  it('decides by one key: about the row with the focus, on a phone too', async () => {
    const screen = await openTable();
    const focus = (name: string) => (screen.getByRole('button', { name }).element() as HTMLElement).focus();
    focus('Accept Ben C. C2D3F4');
    pressMarked('d');
    expect(screen.onDecline.mock.calls).toEqual([[ben]]);
    await page.viewport(390, 844);
    await expect.element(screen.getByRole('table')).not.toBeInTheDocument();
    focus('Decline Anna K. K7M2QX');
    pressMarked('a');
    expect(screen.onAccept.mock.calls).toEqual([[anna]]);
  });

  it('opens the details from anywhere in the row', async () => {
    const screen = await openTable();
    await screen.getByText('Medical detox').click();
    expect(screen.onOpen).toHaveBeenCalledWith(anna);
  });

  it('finds by name or code; the text stays out of the address', async () => {
    const screen = await openTable();
    await screen.getByRole('textbox', { name: 'Find a guest by name or code' }).fill('k7m2');
    await expect.element(screen.getByText('Ben C. C2D3F4')).not.toBeInTheDocument();
    expect(screen.router.state.location.href).toBe('/');
    await screen.getByRole('textbox', { name: 'Find a guest by name or code' }).fill('nobody');
    await expect.element(screen.getByText('No matching reservations')).toBeVisible();
    await screen.getByRole('button', { name: 'Clear the search' }).click();
    await expect.element(screen.getByText('Ben C. C2D3F4')).toBeVisible();
  });

  it('is made of cards on a phone, with the actions always there', async () => {
    await page.viewport(390, 844);
    writePreference('colorScheme', 'dark');
    const screen = await openTable();
    await expect.element(screen.getByRole('button', { name: 'Accept Anna K. K7M2QX' })).toBeVisible();
    await expect.element(screen.getByRole('table')).not.toBeInTheDocument();
    await expect.element(screen.getByLabelText('Sort by')).toHaveDisplayValue('Hold ends soonest');
    await expectNoViolations();
  });
});

describe('the details of a reservation', () => {
  const nothing = () => undefined;
  const open = (user = intake, reservation = anna) =>
    renderView(
      <ReservationDialog
        subject={reservation}
        site={commercial}
        onClose={nothing}
        onAccept={nothing}
        onDecline={nothing}
      />,
      { user },
    );

  it('tell that the person was here before, to staff too', async () => {
    const items = [earlierStay()];
    serve(answerGet('/api/Guests/a/earlier', { items }));
    const screen = await open(currentUser({ role_staff_site_ids: 's1' }));
    await expect
      .element(screen.getByText('Was here before: 1 stay, last at Harbor House until Mar 31, 2019'))
      .toBeVisible();
  });

  it('tell all, and the card is shown large on a press', async () => {
    const screen = await open();
    for (const text of ['K7M2QX', '+1 (714) 555-0134', 'anna@mail.example', 'Medical detox', 'MM-8', 'G7']) {
      // oxlint-disable-next-line no-await-in-loop
      await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
    }
    await screen.getByRole('button', { name: 'Enlarge Insurance card, front' }).click();
    await expect.element(screen.getByRole('img', { name: 'Insurance card, front' })).toBeInTheDocument();
    await expectNoViolations();
  });

  it('tell where from, since when and until when, and both sides of the card', async () => {
    const reserved = {
      ...anna,
      location: 'Orange, CA',
      createdAt: '2026-11-20T10:00:00.000Z',
      expiresAt: '2026-11-23T10:00:00.000Z',
      insuranceCardBack: '/favicon.svg',
    };
    const screen = await open(intake, reserved);
    await expect.element(screen.getByText('Orange, CA')).toBeVisible();
    await expect.element(screen.getByText('Nov 20, 2026, 2:00 AM PST')).toBeVisible();
    await expect.element(screen.getByText('Nov 23, 2026, 2:00 AM PST')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Enlarge Insurance card, front' })).toBeVisible();
    await screen.getByRole('button', { name: 'Enlarge Insurance card, back' }).click();
    await expect.element(screen.getByRole('img', { name: 'Insurance card, back' })).toBeInTheDocument();
  });

  it('say N/A where there is no hold', async () => {
    const screen = await open(intake, ben);
    await expect.element(screen.getByText('N/A').first()).toBeVisible();
  });

  it('leave staff without decisions', async () => {
    const screen = await open(staff);
    await expect.element(screen.getByText('Medical detox')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
  });

  it('say when the reservation is no longer pending', async () => {
    const screen = await open(intake, { ...anna, status: 'accepted' });
    await expect.element(screen.getByText('This reservation is no longer pending.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
  });
});

describe('the New Guest button', () => {
  const full = { ...commercial, counts: { ...commercial.counts, vacant: 2, pending: 2 } };

  it('is off with its reason when reservations take all vacant beds', async () => {
    const onOpen = vi.fn();
    const screen = await renderView(<NewGuestButton site={full} label="New Guest" onOpen={onOpen} />, { user: intake });
    const button = screen.getByRole('button', { name: 'New Guest' });
    await expect.element(button).toHaveAttribute('aria-disabled', 'true');
    await expect
      .element(button)
      .toHaveAccessibleDescription('All beds are currently reserved or awaiting reservation decision.');
    await userEvent.keyboard('{Tab}');
    await expect.element(button).toHaveFocus();
    await expect
      .element(screen.getByRole('tooltip'))
      .toHaveTextContent('All beds are currently reserved or awaiting reservation decision.');
    await userEvent.keyboard('{Enter}');
    expect(onOpen).not.toHaveBeenCalled();
    await expectNoViolations();
  });

  it('adds a walk-in for who may go over held capacity, while a bed is vacant', async () => {
    const onOpen = vi.fn();
    const admin = currentUser({ role_admin_site_ids: 's1' });
    const screen = await renderView(<NewGuestButton site={full} label="New Guest" onOpen={onOpen} />, { user: admin });
    await screen.getByRole('button', { name: 'Add New Guest' }).click();
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it('is off for everyone once no bed is vacant', async () => {
    const admin = currentUser({ role_admin_site_ids: 's1' });
    const taken = { ...full, counts: { ...full.counts, vacant: 0 } };
    const screen = await renderView(<NewGuestButton site={taken} label="New Guest" onOpen={() => undefined} />, {
      user: admin,
    });
    await expect.element(screen.getByRole('button', { name: 'New Guest' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('opens the form while a place is free', async () => {
    const onOpen = vi.fn();
    const screen = await renderView(<NewGuestButton site={commercial} label="New Guest" onOpen={onOpen} />, {
      user: intake,
    });
    await screen.getByRole('button', { name: 'New Guest' }).click();
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it('is not there for staff', async () => {
    const screen = await renderView(<NewGuestButton site={commercial} label="New Guest" onOpen={() => undefined} />, {
      user: staff,
    });
    await expect.element(screen.getByRole('button')).not.toBeInTheDocument();
  });
});

it('a decision that is not sent yet is marked in the list and in the details, where no other can be made', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  serve(http.patch('/api/Guests/a', () => HttpResponse.error()));
  const { getByRole, getByText } = await openTable({ guests: [anna, ben] });
  const sent = guestCommands.send({ guestId: 'a', siteId: 's1', status: 'REJECTED' }).catch(() => 'given up');
  await expect.element(getByRole('row').filter({ hasText: 'Anna K.' }).getByText('Not sent yet')).toBeVisible();
  expect(getByText('Not sent yet').elements()).toHaveLength(1);
  const none = () => undefined;
  const details = await renderView(
    <ReservationDialog subject={anna} site={commercial} onClose={none} onAccept={none} onDecline={none} />,
    { user: intake },
  );
  await expect.element(details.getByRole('dialog').getByText('Not sent yet')).toBeVisible();
  await expect.element(details.getByRole('button', { name: 'Accept', exact: true })).toBeDisabled();
  await expect.element(details.getByRole('button', { name: 'Decline', exact: true })).toBeDisabled();
  tellUserForgotten();
  expect(await sent).toBe('given up');
  vi.restoreAllMocks();
});

it('a name and its code stand apart on a phone', async () => {
  await page.viewport(390, 844);
  const { getByText } = await openTable({ guests: [anna] });
  const name = getByText('Anna K.', { exact: true });
  await expect.element(name).toBeVisible();
  const code = getByText('K7M2QX', { exact: true }).element();
  expect(code.getBoundingClientRect().left - name.element().getBoundingClientRect().right).toBeGreaterThan(2);
});
