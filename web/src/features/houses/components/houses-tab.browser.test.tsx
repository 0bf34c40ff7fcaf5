import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { uploadImage } from '@/api/upload-image';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { bed, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { occupied, openTab, owner, record, site, Tab } from '@/testing/open-houses';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { BedsOverview } from './beds-overview';

vi.mock('@/api/upload-image', () => ({ uploadImage: vi.fn() }));

afterEach(() => writePreference('colorScheme', 'light'));

describe('the bed tabs', () => {
  it('count and filter the beds', async () => {
    const { screen } = await openTab();
    await expect.element(screen.getByRole('tab', { name: 'All Beds 4' })).toHaveAttribute('aria-selected', 'true');
    await screen.getByRole('tab', { name: 'Vacant 2' }).click();
    await expect.element(screen.getByText('Bed b')).toBeVisible();
    await expect.element(screen.getByText('Bed a')).not.toBeInTheDocument();
    await screen.getByRole('tab', { name: 'Occupied 1' }).click();
    await expect.element(screen.getByText('Ana A1')).toBeVisible();
    await expect.element(screen.getByText('3 Days')).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'Garden' })).not.toBeInTheDocument();
  });

  it('show the beds of a house four in a row', async () => {
    await page.viewport(1360, 900);
    const beds = ['a', 'b', 'c', 'd', 'e'].map((id) => bed(id));
    const { screen } = await openTab(owner, siteDetails([room('1', beds)]));
    await expect.element(screen.getByText('Bed e')).toBeVisible();
    const grid = screen.getByText('Bed a').element().closest('ul');
    expect(grid && getComputedStyle(grid).gridTemplateColumns.split(' ')).toHaveLength(4);
  });

  it('say what to do when there is nothing', async () => {
    const { screen } = await openTab(owner, siteDetails([]));
    await expect.element(screen.getByText('Add the first house, then add its beds.')).toBeVisible();
    await screen.getByRole('tab', { name: 'Occupied 0' }).click();
    await screen.getByRole('button', { name: 'Show All Beds' }).click();
    await expect.element(screen.getByRole('tab', { name: 'All Beds 0' })).toHaveAttribute('aria-selected', 'true');
  });
});

describe('houses', () => {
  it("are proposed as 'House #N' and added", async () => {
    const bodies = record('post', '/api/Rooms', room('3', [], { name: 'House #3' }));
    const { screen } = await openTab();
    await screen.getByRole('button', { name: 'Add House' }).click();
    await expect.element(screen.getByLabelText('House name')).toHaveValue('House #3');
    await expectNoViolations();
    await screen.getByRole('dialog').getByRole('button', { name: 'Add House' }).click();
    await expect.element(screen.getByText('House #3 was added.')).toBeVisible();
    expect(bodies).toEqual([{ siteId: 's1', name: 'House #3' }]);
  });

  it('keep their names readable on a phone, however many they are for', async () => {
    const meantFor = ['age-18-26', 'age-over-27', 'gender-female', 'gender-other', 'professionals', 'veterans'];
    await page.viewport(390, 780);
    const { screen } = await openTab(owner, siteDetails([room('1', [bed('b')], { meantFor })]));
    const heading = screen.getByRole('heading', { name: 'House 1' });
    await expect.element(screen.getByText(/^For: Female, Other, 18 to 26/)).toBeVisible();
    const { width } = heading.element().getBoundingClientRect();
    expect(width).toBeGreaterThan(100);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await page.viewport(1360, 900);
  });

  it('cannot be saved unchanged or without a name', async () => {
    const { screen, menu } = await openTab();
    await menu('Garden', 'Edit House');
    const save = screen.getByRole('button', { name: 'Save' });
    await expect.element(save).toBeDisabled();
    await screen.getByLabelText('House name').fill('   ');
    await expect.element(save).toBeDisabled();
    await screen.getByLabelText('House name').fill('Orchard');
    await expect.element(save).toBeEnabled();
  });

  it('cannot be deleted while a bed in them is occupied', async () => {
    const { screen, menu } = await openTab();
    await menu('House 1', 'Delete House');
    await expect.element(screen.getByText("You can't delete the Room")).toBeVisible();
    await expect.element(screen.getByText(/Discharge or reassign its guest first/)).toBeVisible();
    await expectNoViolations();
  });

  it('are deleted after a question that names them; a refusal is shown in place', async () => {
    serve(http.delete('/api/Rooms/2', () => problem(409, "You can't delete the Room.")));
    const { screen, menu } = await openTab();
    await menu('Garden', 'Delete House');
    await expect.element(screen.getByText('Are you sure you want to delete Garden?')).toBeVisible();
    await expect.element(screen.getByText('Its 2 beds are deleted too.')).toBeVisible();
    await screen.getByRole('button', { name: 'Delete House' }).click();
    await expect.element(screen.getByText("You can't delete the Room.")).toBeVisible();
  });
});

describe('beds', () => {
  it('are added one or several, named from the type', async () => {
    const bodies = record('post', '/api/Beds', [bed('x'), bed('y'), bed('z')]);
    const { screen } = await openTab();
    await screen.getByRole('button', { name: 'Add Bed to Garden' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Type').selectOptions('Detox');
    await expect.element(dialog.getByLabelText('Bed name')).toHaveValue('Detox');
    await expect.element(dialog.getByRole('button', { name: 'Add Bed', exact: true })).toBeEnabled();
    await expect.element(dialog.getByRole('button', { name: 'One bed fewer' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'One bed more' }).click();
    await dialog.getByRole('button', { name: 'One bed more' }).click();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Add Multiple Beds' }).click();
    await expect.element(screen.getByText('3 beds were added to Garden.')).toBeVisible();
    expect(bodies).toEqual([{ roomId: '2', type: 'Detox', name: 'Detox', count: 3 }]);
  });

  it('keep a name that was typed when the type changes', async () => {
    const { screen } = await openTab();
    await screen.getByRole('button', { name: 'Add Bed to Garden' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Bed name').fill('Window');
    await dialog.getByLabelText('Type').selectOptions('Detox');
    await expect.element(dialog.getByLabelText('Bed name')).toHaveValue('Window');
  });

  it('say at the name that it is not whitespace only', async () => {
    const { screen } = await openTab();
    await screen.getByRole('button', { name: 'Add Bed to Garden' }).click();
    const dialog = screen.getByRole('dialog');
    const name = dialog.getByLabelText('Bed name');
    await name.fill(' ');
    await dialog.getByRole('button', { name: 'Add Bed', exact: true }).click();
    await expect.element(name).toBeInvalid();
    await expect.element(name).toHaveAccessibleDescription(/^Required field\./);
    await expect.element(name).toHaveFocus();
    await expect.element(dialog).toBeVisible();
  });

  it('are edited with everything the call replaces', async () => {
    const bodies = record('put', '/api/Beds/b', bed('b'));
    const { screen, menu } = await openTab();
    await menu('Bed b, House 1', 'Edit Bed');
    await expect.element(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    await screen.getByLabelText('Bed name').fill(' ');
    await expect.element(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    await screen.getByLabelText('Bed name').fill('Window');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Window was saved.')).toBeVisible();
    expect(bodies).toEqual([
      { name: 'Window', type: 'Detox', version: 1, description: null, imagePath: null, disabled: false },
    ]);
  });

  it('show a field error of the server beside the field', async () => {
    serve(
      http.put('/api/Beds/b', () =>
        problem(422, 'Wrong.', { errors: [{ pointer: '/name', message: 'This name is taken.' }] }),
      ),
    );
    const { screen, menu } = await openTab();
    await menu('Bed b, House 1', 'Edit Bed');
    await screen.getByLabelText('Bed name').fill('Window');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('This name is taken.')).toBeVisible();
    await expect.element(screen.getByLabelText('Bed name')).toHaveValue('Window');
  });

  it.each([
    ['Edit Bed', "You can't edit the Bed"],
    ['Disable Bed', 'You cannot disable the bed.'],
    ['Remove Bed', "You can't remove the Bed"],
  ])('that are occupied refuse: %s', async (entry, refusal) => {
    const { screen, menu } = await openTab();
    await menu('Bed a, House 1', entry);
    await expect.element(screen.getByText(refusal)).toBeVisible();
    await expect.element(screen.getByText(/Reassign the guest to another bed first/)).toBeVisible();
    await screen.getByRole('button', { name: 'Reassign Ana A1' }).click();
    expect(screen.router.state.location.pathname).toBe('/reservations-request/ana');
  });

  it('are removed after a question that names them', async () => {
    const removed: string[] = [];
    serve(
      http.delete('/api/Beds/:id', ({ params }) => {
        removed.push(String(params.id));
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { screen, menu } = await openTab();
    await menu('Bed b, House 1', 'Remove Bed');
    const question = screen.getByRole('dialog', { name: 'Remove Bed b?' });
    await question.getByRole('button', { name: 'Remove Bed' }).click();
    await expect.element(screen.getByText('Bed b was removed.')).toBeVisible();
    expect(removed).toEqual(['b']);
  });

  it('have one message: the newer about a bed takes the place of the older', async () => {
    record('put', '/api/Beds/c', bed('c'));
    const { screen, menu } = await openTab();
    await menu('Bed c, Garden', 'Edit Bed');
    await screen.getByLabelText('Bed name').fill('Window');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Window was saved.')).toBeVisible();
    await menu('Bed c, Garden', 'Enable Bed');
    await expect.element(screen.getByText('Bed c is enabled.')).toBeVisible();
    // Sooner than the older one would go by itself.
    await expect.poll(() => screen.getByText('Window was saved.').elements(), { timeout: 2000 }).toEqual([]);
  });

  it('say by word and shape that a guest is arriving, and when one leaves, on the tile and in the report', async () => {
    vi.spyOn(window, 'print').mockImplementation(() => void window.dispatchEvent(new Event('beforeprint')));
    const beds = [
      bed('b', { guest: guestShort('ana', { isArriving: true }) }),
      bed('c', { guest: guestShort('ben', { expectedDeparture: '2026-12-01' }) }),
    ];
    const { screen } = await openTab(owner, siteDetails([room('1', beds)]));
    const tiles = screen.getByRole('listitem');
    await expect.element(tiles.nth(0)).toHaveTextContent(/Arriving.*Ana ANA$/);
    await expect.element(tiles.nth(1)).toHaveTextContent(/Occupied.*Ana BEN.*Leaves Dec 1/);
    // The number of the tab counts both.
    await expect.element(screen.getByRole('tab', { name: 'Occupied 2' })).toBeVisible();
    const shapes = [0, 1].map((index) => tiles.nth(index).element().querySelectorAll('svg rect').length);
    expect(shapes).toEqual([2, 1]);
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Print Report' }).click();
    const column = (place: number) =>
      [...document.querySelectorAll(`[data-print-report] tbody td:nth-child(${place})`)].map(
        (cell) => cell.textContent,
      );
    expect(column(3)).toEqual(['Arriving', 'Occupied, Leaves Dec 1']);
    expect(column(5)).toEqual(['', '3 Days']);
    window.dispatchEvent(new Event('afterprint'));
  });

  it('have a history of who held them and when they were disabled, for everyone at the site', async () => {
    const stay = (name: string, fields: Partial<Schemas['BedStay']> = {}): Schemas['BedStay'] => ({
      guestId: name,
      displayName: `${name} B. ${name.toUpperCase()}`,
      startedAt: '2026-11-02T18:00:00.000Z',
      startedBy: 'Tom Becker',
      endedAt: null,
      endedBy: null,
      endReason: null,
      ...fields,
    });
    const before = stay('Gus', { endedAt: '2026-11-01T18:00:00.000Z', endedBy: 'Ada Moreno', endReason: 'discharged' });
    serve(answerGet('/api/Beds/a/stays', onePage([stay('Ana'), before])));
    const outage: Schemas['BedOutage'] = {
      kind: 'out-of-service',
      reason: 'Water damage',
      expectedBack: '2026-12-01',
      startedAt: '2026-11-20T18:00:00.000Z',
      startedBy: 'Ada Moreno',
      endedAt: null,
      endedBy: null,
    };
    const cleaned: Schemas['BedOutage'] = {
      kind: 'cleaning',
      reason: null,
      expectedBack: '2026-11-03',
      startedAt: '2026-11-02T10:00:00.000Z',
      startedBy: 'Tom Becker',
      endedAt: '2026-11-02T12:00:00.000Z',
      endedBy: 'Tom Becker',
    };
    serve(answerGet('/api/Beds/a/outages', onePage([outage, cleaned])));
    const { screen, menu } = await openTab(currentUser({ role_staff_site_ids: 's1' }));
    await menu('Bed a, House 1', 'History of this bed');
    const dialog = screen.getByRole('dialog', { name: 'History of Bed a, House 1' });
    const rows = dialog.getByRole('row');
    await expect.element(rows.nth(2)).toBeVisible();
    await expect
      .element(rows.nth(1))
      .toHaveTextContent(/Ana B\. ANA.*Nov 2, 2026, 10:00 AM PST.*by Tom Becker.*Here now/);
    await expect.element(rows.nth(2)).toHaveTextContent(/Nov 1, 2026, 10:00 AM PST.*by Ada Moreno/);
    const outages = dialog.getByRole('table', { name: 'Times out of use' }).getByRole('row');
    await expect
      .element(outages.nth(1))
      .toHaveTextContent(
        /Out of service: Water damage.*Expected back on Dec 1, 2026.*Nov 20, 2026.*by Ada Moreno.*Disabled now/,
      );
    await expect.element(outages.nth(2)).toHaveTextContent(/Being cleaned.*Was expected back on Nov 3, 2026/);
    await expectNoViolations();
    await dialog.getByRole('link', { name: 'Gus B. GUS' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations/guest/s1/Gus');
  });

  it('give the focus back to their menu when a dialog is left', async () => {
    const { menu } = await openTab();
    await menu('Bed b, House 1', 'Edit Bed');
    await expect.poll(() => document.activeElement?.closest('[role="dialog"]')).not.toBeNull();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Actions for Bed b, House 1');
  });

  it('leave a menu open that is opened as soon as a dialog is left', async () => {
    const { screen, menu } = await openTab();
    await menu('Bed b, House 1', 'Edit Bed');
    await expect.poll(() => document.activeElement?.closest('[role="dialog"]')).not.toBeNull();
    await userEvent.keyboard('{Escape}');
    await screen.getByRole('button', { name: 'Actions for Bed d, Garden' }).click();
    const entry = screen.getByRole('menuitem', { name: 'Edit Bed' });
    await expect.element(entry).toBeVisible();
    // The focus is looked for until 250 ms after the dialog; each answer of `poll` here is one more look at the menu.
    let looks = 0;
    await expect.poll(() => (entry.query() ? (looks += 1) : -1), { interval: 50 }).toBe(8);
  });

  it('that someone else changed meanwhile keep what was typed, show how they are now, and are saved over on request', async () => {
    const bodies: unknown[] = [];
    const changed = bed('b', { name: 'Window bed', version: 2 });
    const later = siteDetails([room('1', [occupied, changed]), room('2', [])]);
    const live = new EventTarget();
    function Live() {
      const [now, setNow] = useState(site);
      useEffect(() => {
        const handleArrival = () => setNow(later);
        live.addEventListener('arrival', handleArrival);
        return () => live.removeEventListener('arrival', handleArrival);
      }, []);
      return <Tab of={now} />;
    }
    const screen = await renderView(<Live />, { user: owner });
    serve(
      http.put('/api/Beds/b', async ({ request }) => {
        bodies.push(await request.json());
        if (bodies.length > 1) return HttpResponse.json(changed);
        live.dispatchEvent(new Event('arrival'));
        return problem(412, 'Someone else changed this in the meantime. Here is how it is now.');
      }),
    );
    await screen.getByRole('button', { name: 'Actions for Bed b, House 1', exact: true }).click();
    await screen.getByRole('menuitem', { name: 'Edit Bed' }).click();
    await screen.getByLabelText('Bed name').fill('Door bed');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Saved now: Window bed')).toBeVisible();
    await expect.element(screen.getByLabelText('Bed name')).toHaveValue('Door bed');
    await screen.getByRole('button', { name: 'Save mine instead' }).click();
    await expect
      .poll(() => bodies)
      .toMatchObject([
        { name: 'Door bed', version: 1 },
        { name: 'Door bed', version: 2 },
      ]);
  });
});

it.each([
  ['Garden', 'Edit House', 'room_', '/api/Rooms/2'],
  ['Bed b, House 1', 'Edit Bed', 'bed_', '/api/Beds/b'],
])('%s takes a photo, uploaded as its own kind', async (name, entry, prefix, path) => {
  const upload = vi.mocked(uploadImage).mockResolvedValue(`uploads/${prefix}front.jpg`);
  const bodies = record('put', path, { ...bed('b'), name });
  const { screen, menu } = await openTab();
  await menu(name, entry);
  await userEvent.upload(screen.getByTestId(`${prefix}file`), [new File(['x'], 'front.jpg', { type: 'image/jpeg' })]);
  await expect.element(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => bodies).toMatchObject([{ imagePath: `uploads/${prefix}front.jpg` }]);
  expect(upload.mock.lastCall?.[0]).toBe(prefix);
});

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="5"/>';

it.each([
  ['House 1', 'Edit House', 'room_', '/api/Rooms/1'],
  ['Bed b, House 1', 'Edit Bed', 'bed_', '/api/Beds/b'],
])('%s shows both photos when somebody else has changed it, and no paths', async (name, entry, prefix, path) => {
  const imagePath = `uploads/${prefix}theirs.jpg`;
  const own = prefix === 'room_' ? { imagePath, version: 2 } : {};
  const theirs = prefix === 'bed_' ? { imagePath, version: 2 } : {};
  let show = () => undefined as void;
  function Live() {
    const [now, setNow] = useState(site);
    show = () => setNow(siteDetails([{ ...room('1', [occupied, bed('b', theirs)]), ...own }, room('2', [])]));
    return <Tab of={now} />;
  }
  vi.mocked(uploadImage).mockResolvedValue(`uploads/${prefix}mine.jpg`);
  const screen = await renderView(<Live />, { user: owner });
  serve(
    http.get('/files/uploads/*', () => new HttpResponse(DRAWING, { headers: { 'content-type': 'image/svg+xml' } })),
    http.put(path, () => {
      show();
      return problem(412, 'Someone else changed this in the meantime. Here is how it is now.');
    }),
  );
  await screen.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await screen.getByRole('menuitem', { name: entry }).click();
  const dot = Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'), (byte) =>
    byte.charCodeAt(0),
  );
  await userEvent.upload(screen.getByTestId(`${prefix}file`), [new File([dot], 'mine.gif', { type: 'image/gif' })]);
  await screen.getByRole('button', { name: 'Save' }).click();
  const notice = screen.getByRole('alert').filter({ hasText: 'Saved now:' });
  const saved = notice.getByRole('img', { name: 'Photo, saved now' });
  await expect.element(saved).toBeInTheDocument();
  expect(saved.element().getAttribute('src')).toContain(imagePath);
  // What was chosen here is shown from here: the server does not show every picture before it is saved.
  expect(notice.getByRole('img', { name: 'Photo, yours' }).element().getAttribute('src')).toMatch(/^blob:/);
  await expect.element(notice).not.toHaveTextContent('uploads');
});

describe('who may edit', () => {
  const staff = currentUser({ role_staff_site_ids: 's1' });
  const intake = currentUser({ role_intake_site_ids: 's1' });
  const admin = currentUser({ role_admin_site_ids: 's1' });
  const free = siteDetails(site.rooms, { isCommercial: false });
  it.each([
    ['the owner, commercial', owner, site, true],
    ['an admin, commercial', admin, site, false],
    ['staff, commercial', staff, site, false],
    ['an admin, non-commercial', admin, free, true],
    ['staff, non-commercial', staff, free, true],
    ['intake, non-commercial', intake, free, false],
  ] as const)('%s', async (_who, user, of, may) => {
    const { screen } = await openTab(user, of);
    await expect.element(screen.getByRole('heading', { name: 'Garden' })).toBeVisible();
    const add = screen.getByRole('button', { name: 'Add House' });
    expect(add.elements().length > 0).toBe(may);
  });
});

it('leads those who may not edit to the guest and the history of a bed, and nowhere else', async () => {
  const { screen } = await openTab(currentUser({ role_intake_site_ids: 's1' }));
  const entries = () =>
    screen
      .getByRole('menuitem')
      .elements()
      .map((entry) => entry.textContent);
  await screen.getByRole('button', { name: 'Actions for Bed b, House 1' }).click();
  await expect.poll(entries).toEqual(['History of this bed']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(entries).toEqual([]);
  await screen.getByRole('button', { name: 'Actions for Bed a, House 1' }).click();
  await expect.poll(entries).toEqual(['Guest Details', 'History of this bed']);
  await screen.getByRole('menuitem', { name: 'Guest Details' }).click();
  expect(screen.router.state.location.pathname).toBe('/reservations/guest/s1/ana');
});

describe('the print report', () => {
  it('names site, time and the notice of 42 CFR part 2, and lists every bed', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => {
      window.dispatchEvent(new Event('beforeprint'));
    });
    const { screen } = await openTab();
    await screen.getByRole('button', { name: 'Print Report' }).click();
    const report = document.querySelector('[data-print-report]');
    expect(report?.textContent).toContain('Bed report: Harbor House');
    expect(report?.textContent).toContain('42 CFR part 2 prohibits unauthorized use or disclosure of these records.');
    expect(report?.querySelectorAll('tbody td:first-child').length).toBe(4);
    window.dispatchEvent(new Event('afterprint'));
    await expect.poll(() => document.querySelector('[data-print-report]')).toBeNull();
    print.mockRestore();
  });

  it('counts the whole site whatever is listed, and says the zone and by whom it was printed', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => {
      window.dispatchEvent(new Event('beforeprint'));
    });
    const user = currentUser({ role_owner_organization_ids: 'o1', first_name: 'Olga', last_name: 'Owens' });
    const { screen } = await openTab(user);
    await screen.getByRole('tab', { name: 'Occupied 1' }).click();
    await screen.getByRole('button', { name: 'Print Report' }).click();
    const report = document.querySelector('[data-print-report]');
    expect(report?.querySelectorAll('tbody td:first-child').length).toBe(1);
    expect(report?.textContent).toContain('Whole site: 2 available, 2 vacant, 0 held, 1 occupied, 1 disabled');
    expect(report?.textContent).toContain('Listed below: Occupied');
    expect(report?.textContent).toMatch(/As of .* P[SD]T, printed by Olga Owens/);
    window.dispatchEvent(new Event('afterprint'));
    print.mockRestore();
  });
});

describe('the report as a file', () => {
  it('is offered as Excel and CSV, with the filter and the language of the screen', async () => {
    const { screen } = await openTab(currentUser({ role_staff_site_ids: 's1' }));
    await screen.getByRole('tab', { name: 'Occupied 1' }).click();
    await screen.getByRole('button', { name: 'Download Report' }).click();
    const excel = screen.getByRole('menuitem', { name: 'Excel (XLSX)' });
    await expect.element(excel).toHaveAttribute('href', '/api/Sites/s1/beds.xlsx?beds=occupied&language=en');
    await expect.element(excel).toHaveAttribute('download');
    await expect
      .element(screen.getByRole('menuitem', { name: 'CSV' }))
      .toHaveAttribute('href', '/api/Sites/s1/beds.csv?beds=occupied&language=en');
    await expectNoViolations();
  });
});

describe('accessibility', () => {
  it.each(['light', 'dark'] as const)('has no violation in %s, menu open', async (scheme) => {
    writePreference('colorScheme', scheme);
    const { screen } = await openTab();
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Actions for Bed b, House 1' }).click();
    await expect.element(screen.getByRole('menuitem', { name: 'Edit Bed' })).toBeVisible();
    await expectNoViolations();
  });

  it('has none in the read-only overview', async () => {
    const screen = await renderView(<BedsOverview site={site} />, { user: owner });
    await expect.element(screen.getByText('Ana A1')).toBeVisible();
    await expectNoViolations();
  });
});
