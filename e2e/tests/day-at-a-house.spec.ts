import type { Locator, Page, Request } from '@playwright/test';
import { MAIN_SITE } from '../lib/accounts.ts';
import { type Guest, type Place, type Site, takenPlaces, vacantPlaces, withRoomFor } from '../lib/api.ts';
import { Board, isGuestChange, type ShownHouse } from '../lib/board.ts';
import { reserveOnFind } from '../lib/find.ts';
import { bytesOf, rowsOfCsv, rowsOfXlsx, textOfPdf, withoutSpace } from '../lib/report-files.ts';
import { expect, test } from '../lib/test.ts';

// Holds run out here, and one address asks for several codes: a server of its own.
test.use({ serverName: 'day-at-a-house' });

const AMARA = { firstName: 'Amara', phone: '9515552101' };
const BASTIAN = { firstName: 'Bastian', phone: '9515552102', isInsured: true };
const CELESTE = { firstName: 'Celeste', phone: '9515552103' };
const DARIO = { firstName: 'Dario', phone: '9515552104' };
const ESME = { firstName: 'Esme', phone: '9515552105' };
const EVERYBODY = [AMARA, BASTIAN, CELESTE, DARIO, ESME];

const FEEDBACK = 'No answer at this number.';

test('a day at a house: reservations come, are decided, expire and are cancelled, guests move, the report and the history tell it, and staff can do nothing of it', async ({
  openContext,
  apiAs,
  server,
}) => {
  test.setTimeout(150_000);
  const api = await apiAs('intake');
  const site = await withRoomFor(api, MAIN_SITE, EVERYBODY.length);
  const [first, second, elsewhere] = bedsInTwoHouses(site);
  const outside = await (await openContext(null, { viewport: { width: 390, height: 844 } })).newPage();
  const intake = await (await openContext('intake')).newPage();
  const calls = callsOf(intake);
  const list = intake.getByRole('table', { name: 'Pending reservations' });
  const rowOf = (code: string) => list.getByRole('row').filter({ hasText: code });
  const guests = new Map<string, Guest>();
  const named = (code: string): Guest => {
    const guest = guests.get(code);
    if (!guest) throw new Error(`There is no guest ${code}.`);
    return guest;
  };
  const codes: string[] = [];

  await test.step('five people reserve, and each appears in the list without a reload', async () => {
    await intake.goto(`/reservations/${site.id}?tab=reservations`);
    await expect(list).toBeVisible();
    for (const person of EVERYBODY) {
      const code = await reserveOnFind(outside, site.id, person);
      codes.push(code);
      if (person === BASTIAN) await sendCardPictures(outside);
      await expect(rowOf(code)).toContainText(person.firstName);
      // A message that still stands counts on: for a moment the next one is there before it has gone.
      const news = intake.getByRole('status').filter({ hasText: /^(New reservation|\d+ new reservations) at / });
      await expect(news).toHaveText([new RegExp(site.name)]);
    }
    await expect(intake).toHaveTitle(/^\(\d+\) /);
    for (const guest of await api.guests(site.id)) guests.set(guest.code, guest);
  });
  const [amara, bastian, celeste, dario, esme] = codes.map(named) as [Guest, Guest, Guest, Guest, Guest];

  await test.step('two are accepted, one after a look at the insurance card', async () => {
    await rowOf(amara.code).getByRole('button', { name: 'Accept' }).click();
    await giveBed(intake, first);
    await expect(rowOf(amara.code)).toHaveCount(0);
    await rowOf(bastian.code).getByText('Bastian').click();
    const details = intake.getByRole('dialog', { name: `Reservation ${bastian.code}` });
    await expect(details.getByText('(951) 555-2102')).toBeVisible();
    await expect(details.locator('img')).toHaveCount(2);
    for (const picture of await details.locator('img').all()) {
      await expect(picture).toHaveJSProperty('complete', true);
      await expect(picture).not.toHaveJSProperty('naturalWidth', 0);
    }
    await details.getByRole('button', { name: 'Accept' }).click();
    await giveBed(intake, second);
  });

  await test.step('one is declined with feedback, and the decline is taken back', async () => {
    await rowOf(celeste.code).getByRole('button', { name: 'Decline' }).click();
    const question = intake.getByRole('dialog', { name: /^Decline the reservation for Celeste/ });
    await question.getByLabel('Feedback').pressSequentially(FEEDBACK);
    await question.getByRole('button', { name: 'Decline' }).click();
    await expect(rowOf(celeste.code)).toHaveCount(0);
    const told = intake.getByRole('status').filter({ hasText: 'was declined' });
    await told.getByRole('button', { name: 'Undo' }).click();
    await expect(intake.getByRole('status').filter({ hasText: /Celeste.* is pending again/ })).toBeVisible();
    await expect(rowOf(celeste.code)).toBeVisible();
  });

  await test.step('the hold of one runs out while the list is open', async () => {
    await expect(rowOf(dario.code)).toContainText('left');
    server.endHold(dario.id);
    await expect(rowOf(dario.code)).toHaveCount(0);
    await outside.goto('/find?reservation');
    await lookUp(outside, dario);
    await expect(outside.getByText('The hold ended before the site decided.', { exact: false })).toBeVisible();
  });

  await test.step('one cancels with the code and the last four digits', async () => {
    await outside.getByRole('button', { name: 'Look up another reservation' }).click();
    await lookUp(outside, esme);
    await outside.getByRole('button', { name: 'Cancel this reservation' }).click();
    await outside.getByRole('button', { name: 'Yes, cancel it' }).click();
    await expect(outside.getByText('You cancelled this reservation.', { exact: false })).toBeVisible();
    await expect(rowOf(esme.code)).toHaveCount(0);
  });

  let again: Guest | undefined;
  await test.step('one is discharged, comes back with the same phone, and is accepted again', async () => {
    await intake.getByRole('tab', { name: /^Guests/ }).click();
    await intake.getByRole('button', { name: `Actions for ${amara.displayName}` }).click();
    await intake.getByRole('menuitem', { name: 'Discharge' }).click();
    await answer(intake.getByRole('dialog', { name: /^Discharge Amara/ }).getByRole('button', { name: 'Discharge' }));
    await intake.getByRole('tab', { name: /^Reservations/ }).click();
    const code = await reserveOnFind(outside, site.id, AMARA);
    expect(code).not.toBe(amara.code);
    await rowOf(code).getByRole('button', { name: 'Accept' }).click();
    await giveBed(intake, first);
    again = (await api.guests(site.id)).find((guest) => guest.code === code);
  });
  if (!again) throw new Error('The guest who came back is not at the site.');
  const returned = again;

  let shown: ShownHouse[] = [];
  await test.step("guests are moved on the board: into another house, and into each other's beds", async () => {
    const board = new Board(intake);
    await intake.getByRole('tab', { name: /^Guests/ }).click();
    await intake.getByRole('button', { name: 'Move Guests' }).click();
    await board.drag(board.guestIn(second, bastian.displayName), elsewhere);
    await expect(intake.getByText(/Do you want to assign Bastian .* \?/)).toBeVisible();
    await board.confirm('Assign', (button) => button.click());
    await expect(board.guestIn(elsewhere, bastian.displayName)).toBeVisible();
    await board.drag(board.guestIn(first, returned.displayName), elsewhere);
    await expect(intake.getByText(/Do you want to swap Amara .* with Bastian .*\?/)).toBeVisible();
    await board.confirm('Swap', (button) => button.click());
    await expect(board.guestIn(elsewhere, returned.displayName)).toBeVisible();
    await expect(board.guestIn(first, bastian.displayName)).toBeVisible();
    shown = await board.houses();
    const beds = shown.flatMap(({ beds: ofHouse }) => ofHouse);
    expect(beds).toHaveLength(site.rooms.flatMap((room) => room.beds).length);
    expect(beds.filter(({ state }) => state === 'Occupied')).toHaveLength(takenPlaces(site).length + 2);
    await intake.getByRole('button', { name: 'Close the board' }).click();
  });

  await test.step('the printed report is the board', async () => {
    await intake.goto(`/organizations/${site.organizationId}/${site.id}?tab=houses`);
    await intake.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-asked-to-print', '');
    });
    await intake.getByRole('button', { name: 'Print Report' }).click();
    await expect(intake.locator('html')).toHaveAttribute('data-asked-to-print');
    const pages = await textOfPdf(await intake.pdf({ format: 'Letter' }));
    const head = (pages[0] ?? '').slice(0, (pages[0] ?? '').indexOf('Daysstayed') + 'Daysstayed'.length);
    expect(head).toContain(withoutSpace(`Bed report: ${MAIN_SITE}`));
    expect(head).toMatch(/Asof.*P[SD]T,printedby/);
    // The head stands on each sheet, and nothing else does besides the beds.
    expect(pages.map((text) => text.startsWith(head))).toEqual(pages.map(() => true));
    expect(pages.map((text) => text.slice(head.length)).join('')).toBe(withoutSpace(printedText(shown)));
  });

  await test.step('the files are the board', async () => {
    const expected = fileRows(shown);
    expect(bedsIn(rowsOfCsv(await saveReport(intake, 'CSV')))).toEqual(expected);
    expect(bedsIn(rowsOfXlsx(await saveReport(intake, 'Excel (XLSX)')))).toEqual(expected);
  });

  await test.step('the history tells of each', async () => {
    await intake.goto(`/history/${site.id}`);
    const found = async (name: string, table: string, code: string) => {
      await intake.getByRole('textbox', { name: 'Search Guest First Name...' }).fill('');
      await intake.getByRole('textbox', { name: 'Search Guest First Name...' }).pressSequentially(name);
      const row = intake.getByRole('table', { name: table }).getByRole('row').filter({ hasText: code });
      await expect(row).toBeVisible();
      return row;
    };
    await found('amara', 'Discharged', amara.code);
    await found('amara', 'Accepted (active)', returned.code);
    await found('bast', 'Accepted (active)', bastian.code);
    await found('dario', 'Expired', dario.code);
    await expect(await found('esme', 'Declined', esme.code)).toContainText('Cancelled by the guest');
    await intake.getByRole('textbox', { name: 'Search Guest First Name...' }).fill('celeste');
    await expect(intake.getByText('No one in this list has this name')).toHaveCount(4);
  });

  await test.step('staff see the same pages without contact data, without a decision, and without Move', async () => {
    const staff = await (await openContext('staff')).newPage();
    const pages: [address: string, seen: (page: Page) => Locator][] = [
      [`/reservations/${site.id}?tab=reservations`, (page) => page.getByRole('row').filter({ hasText: celeste.code })],
      [
        `/reservations/${site.id}?tab=reservations&reservation=${celeste.id}`,
        (page) => page.getByRole('dialog', { name: `Reservation ${celeste.code}` }),
      ],
      [`/reservations-request/${celeste.id}`, (page) => page.getByText('you cannot assign beds', { exact: false })],
      [`/reservations/${site.id}?tab=guests`, (page) => page.getByRole('row').filter({ hasText: bastian.code })],
      [
        `/reservations/${site.id}?tab=guests&open=board`,
        (page) => page.getByRole('row').filter({ hasText: returned.code }),
      ],
      [`/reservations/guest/${site.id}/${bastian.id}`, (page) => page.getByText(bastian.code).first()],
      [
        `/organizations/${site.organizationId}/${site.id}?tab=houses`,
        (page) => page.getByText(bastian.displayName).first(),
      ],
      [`/history/${site.id}`, (page) => page.getByRole('row').filter({ hasText: returned.code })],
      [
        `/history/${site.id}?panel=${bastian.id}`,
        (page) => page.getByRole('dialog', { name: `Guest ${bastian.code}` }),
      ],
    ];
    for (const [address, seen] of pages) {
      await staff.goto(address);
      await expect(seen(staff), address).toBeVisible();
      await expectNothingForbidden(staff, address);
    }
  });

  await test.step('what the intake user sent is refused to staff, and what was read has no contact data', async () => {
    const staff = await apiAs('staff');
    const changes = calls.filter((call) => call.method() !== 'GET');
    expect(changes.map((call) => call.method())).toEqual(changes.map(() => 'PATCH'));
    expect(changes.length).toBeGreaterThanOrEqual(8);
    for (const call of changes) {
      const refused = await staff.patch(new URL(call.url()).pathname, call.postDataJSON() as object);
      expect([403, 404], `${call.url()}: ${await refused.text()}`).toContain(refused.status());
    }
    const read = new Set(calls.filter((call) => call.method() === 'GET').map((call) => call.url()));
    const cards = [bastian.insuranceCardFront, bastian.insuranceCardBack].map((path) => `/files/${path}`);
    const isCard = (url: string) => cards.includes(new URL(url).pathname);
    expect([...read].filter(isCard).length).toBeGreaterThanOrEqual(2);
    for (const url of read) {
      const { pathname, search } = new URL(url);
      const told = await staff.get(`${pathname}${search}`);
      if (isCard(url)) expect(told.status(), url).toBe(404);
      const text = await told.text();
      for (const { phone, firstName } of EVERYBODY) {
        expect(text, url).not.toContain(phone);
        expect(text, url).not.toContain(`${firstName.toLowerCase()}@`);
      }
    }
  });
});

/** Two vacant beds of one house and one of another. */
function bedsInTwoHouses(site: Site): [Place, Place, Place] {
  const places = vacantPlaces(site);
  for (const first of places) {
    const second = places.find(({ bed, house }) => house === first.house && bed !== first.bed);
    const other = places.find(({ house }) => house !== first.house);
    if (second && other) return [first, second, other];
  }
  throw new Error('The demo has too few vacant beds for this test.');
}

/** What a page asks of the server about guests from now on: every change, and every file and list of guests that it reads. */
function callsOf(page: Page): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isChange = request.method() !== 'GET' && pathname.startsWith('/api/');
    const isRead = /^\/(api\/guests|files\/)/i.test(pathname);
    if (isChange || isRead) calls.push(request);
  });
  return calls;
}

async function sendCardPictures(page: Page): Promise<void> {
  const picture = { name: 'card.png', mimeType: 'image/png', buffer: await page.screenshot() };
  await page.locator('input[type=file]').nth(0).setInputFiles(picture);
  await page.locator('input[type=file]').nth(1).setInputFiles(picture);
  await page.getByRole('button', { name: 'Send pictures' }).click();
  await expect(page.getByText('Both sides of your card were sent.')).toBeVisible();
}

/** Shows a reservation by its code and the last four digits of the phone. */
async function lookUp(page: Page, { code, phone }: Guest): Promise<void> {
  await page.getByLabel('Code of the reservation').pressSequentially(code);
  await page.getByLabel('Last four digits').pressSequentially((phone ?? '').slice(-4));
  await page.getByRole('button', { name: 'Show my reservation' }).click();
}

/** Presses a button whose command about a guest must succeed. */
async function answer(button: Locator): Promise<void> {
  const sent = button.page().waitForResponse(isGuestChange);
  await button.click();
  expect((await sent).status()).toBe(200);
}

/** Chooses a bed on the page of a reservation and accepts the guest into it; the page goes back to the list. */
async function giveBed(page: Page, { bed, house }: Place): Promise<void> {
  const choice = page.getByRole('radio', { name: `${bed.name}, ${house}` });
  await page.locator('label').filter({ has: choice }).click();
  await answer(page.getByRole('button', { name: 'Accept into this bed' }));
  await expect(page).toHaveURL(/tab=reservations/);
}

/** The board as the report prints it, row by row. */
function printedText(houses: readonly ShownHouse[]): string {
  const rows = houses.flatMap(({ name, count, beds }) => [
    `${name}, ${count}`,
    ...beds.map(({ bed, type, state, more }) =>
      state === 'Occupied' ? [bed, type, state, ...more].join('') : [bed, type, [state, ...more].join(', ')].join(''),
    ),
  ]);
  return rows.join('');
}

/** Saves the bed report as a file. */
async function saveReport(page: Page, format: string): Promise<Buffer> {
  await page.getByRole('button', { name: 'Download Report' }).click();
  const loading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: format }).click();
  return bytesOf(await loading);
}

/** The rows of a file below the heads of its columns, up to why a bed is disabled. */
function bedsIn(rows: readonly string[][]): string[][] {
  const head = rows.findIndex(([house, bed]) => house === 'House' && bed === 'Bed');
  return rows.slice(head + 1).map((row) => {
    const cells = Array.from({ length: 9 }, (_, column) => row[column] ?? '');
    // A tile has both in one line.
    const why = cells.slice(7).filter((cell) => cell !== '');
    return [...cells.slice(0, 7), why.join(': ')];
  });
}

/** The board as the files tell it: house, bed, type, state, guest, code, days stayed, and what a disabled bed waits for and why. */
function fileRows(houses: readonly ShownHouse[]): string[][] {
  return houses.flatMap(({ name, beds }) =>
    beds.map(({ bed, type, state, more: [who = '', days = ''] }) => {
      const cut = who.lastIndexOf(' ');
      if (state !== 'Occupied') return [name, bed, type, state, '', '', '', who];
      return [name, bed, type, state, who.slice(0, cut), who.slice(cut + 1), String(Number.parseInt(days, 10)), ''];
    }),
  );
}

async function expectNothingForbidden(page: Page, where: string): Promise<void> {
  expect(await page.locator('body').innerText(), where).not.toMatch(/@guests\.example|\(951\) 555-21/);
  const fact = page.locator('main, [role=dialog]').getByText(/^(Phone|Email|Insurance card.*)$/);
  await expect(fact, where).toHaveCount(0);
  const forbidden = /^(Accept|Decline|Discharge|Reassign|Assign|Move|Undo|Actions for (Amara|Bastian|Celeste))\b/;
  await expect(page.getByRole('button', { name: forbidden }), where).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Feedback' }), where).toHaveCount(0);
}
