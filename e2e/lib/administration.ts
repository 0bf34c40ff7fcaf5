import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test';
import { latestCode, type Message, messages } from './outbox.ts';
import { click, fillSignIn } from './sign-in.ts';

/** Someone who comes to Berth by a mail. Codes go to the own phone: each gets one every 30 seconds at most. */
export interface Person {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  readonly phone: string;
}

/** What the dialog for a new organization asks for, its list telling the kind. */
export interface NewOrganization {
  readonly list: 'paid-rehabs' | 'free-rehabs';
  readonly name: string;
  readonly owner: Person;
}

/** What is filled into the wizard; `houses` at non-commercial sites alone, with the number of treatment beds. */
export interface NewSite {
  readonly name: string;
  readonly admin: Person;
  readonly photos: readonly File[];
  readonly houses?: readonly { readonly name: string; readonly beds: number }[];
}

/** A file as a file chooser takes it. */
export type File = { name: string; mimeType: string; buffer: Buffer };

export const DESCRIPTION =
  'A quiet house under old trees, near the beach, for people who want to begin again together.';
const CODE_PAUSE_MILLISECONDS = 40_000;

/** A small picture of one colour. */
export async function picture(page: Page, colour: string, type: 'png' | 'jpeg'): Promise<File> {
  const canvas = await page.context().newPage();
  await canvas.setContent(`<body style="background: ${colour}">`);
  const buffer = await canvas.screenshot({ type, clip: { x: 0, y: 0, width: 320, height: 240 } });
  await canvas.close();
  return { name: `${colour}.${type}`, mimeType: `image/${type}`, buffer };
}

/** The newest mail to an address, of this subject if one is named. */
export async function mailTo(request: APIRequestContext, origin: string, to: string, subject = ''): Promise<Message> {
  const all = await messages(request, origin);
  const found = all.find((one) => one.channel === 'email' && one.to === to && one.subject.includes(subject));
  if (!found) throw new Error(`No mail "${subject}" went to ${to}.`);
  return found;
}

/** Opens the link of the newest mail to an address. */
export async function openMailLink(page: Page, origin: string, to: string, subject = ''): Promise<void> {
  await page.goto(linkIn(await mailTo(page.request, origin, to, subject)));
}

/** The link of a mail with which something can be done once. */
export function linkIn({ body, to }: Message): string {
  const link = /https?:\/\/\S+#(?:access_)?token=[^\s"<]+/.exec(body)?.[0];
  if (!link) throw new Error(`The mail to ${to} has no link: ${body}`);
  return link;
}

/** A global admin adds an organization to a list; its owner is invited. */
export async function createOrganization(page: Page, { list, name, owner }: NewOrganization): Promise<void> {
  const kind = list === 'paid-rehabs' ? 'commercial' : 'non-commercial';
  const logo = await picture(page, 'teal', 'png');
  await page.goto(`/${list}`);
  await page.getByRole('button', { name: 'New Organization' }).click();
  const form = page.getByRole('dialog', { name: `New ${kind} organization` });
  await form.getByLabel('Organization name').fill(name);
  await form.getByLabel('Owner email').fill(owner.email);
  await chooseFiles(page, form.getByRole('button', { name: 'Choose image' }), [logo]);
  await expect(form.getByRole('img', { name: 'Chosen image: Logo' })).toBeVisible();
  await form.getByRole('button', { name: 'Create organization' }).click();
  await expect(form).toBeHidden();
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
  await expect(card).toContainText('No Sites Yet');
  await expectPicture(card.locator('img'));
}

/**
 * Follows the link of an invitation to a password, a phone, a code and the organizations. Whoever was invited by email
 * alone is asked for a name there.
 */
export async function acceptInvitation(page: Page, origin: string, person: Person): Promise<void> {
  await openMailLink(page, origin, person.email);
  await fillNewPassword(page, person.password);
  await page.getByLabel('Mobile phone').fill(person.phone.slice(2));
  await page.getByRole('button', { name: 'Send code' }).click();
  await enterCode(page, origin, person.phone);
  await expect(page).toHaveURL(/\/organizations$/);
  const user = (await (await page.request.get('/connect/userinfo')).json()) as { first_name: string };
  if (user.first_name === '') await giveName(page, person);
}

/** Answers the question of the first sign-in. */
async function giveName(page: Page, { firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>) {
  const question = page.getByRole('dialog', { name: 'What is your name?' });
  await question.getByLabel('First name').fill(firstName);
  await question.getByLabel('Last name').fill(lastName);
  await question.getByRole('button', { name: 'Save' }).click();
  await expect(question).toBeHidden();
}

/** Fills in and sends the two fields of a new password. */
export async function fillNewPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
  await page.getByRole('button', { name: 'Save' }).click();
}

/** Signs in with email and password; the code is still asked. */
export async function signInAs(page: Page, origin: string, person: Person): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, person, click);
  await enterCode(page, origin, person.phone);
  await expect(page).toHaveURL(/\/organizations$/);
}

/** The last step of a sign-in. Whoever got a code a moment ago asks for another as soon as that is possible. */
async function enterCode(page: Page, origin: string, phone: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  if (await page.getByText('A code for an earlier sign-in was just sent.').isVisible()) {
    await page.getByRole('button', { name: /^Send a new code/ }).click({ timeout: CODE_PAUSE_MILLISECONDS });
    await expect(page.getByText('A new code is on its way.')).toBeVisible();
  }
  await page.getByLabel('Confirmation code').fill(await latestCode(page.request, origin, phone));
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** Adds a site to the organization whose page is open, step by step, and ends at its page. */
export async function createSite(page: Page, site: NewSite): Promise<void> {
  // An organization without sites offers it twice.
  await page.getByRole('link', { name: 'New Site' }).first().click();
  await fillAbout(page, site);
  await fillContacts(page, site.admin);
  await page.getByRole('checkbox', { name: 'Monday to Friday' }).check();
  await page.getByLabel('Monday to Friday: From').selectOption('All Day');
  await goOn(page, site.houses ? 'Accomodations' : 'Services');
  if (site.houses) await fillHouses(page, site.houses);
  await page.getByRole('checkbox', { name: 'Sober living' }).check();
  await page.getByRole('checkbox', { name: 'English' }).check();
  await page.getByLabel('Max screening period').selectOption('24 hours');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: site.name, level: 1 })).toBeVisible();
}

async function fillAbout(page: Page, { name, photos }: NewSite): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Description' }).fill(DESCRIPTION);
  if (photos.length > 0) {
    await chooseFiles(page, page.getByRole('button', { name: 'Choose photos' }), photos);
    const tiles = page.getByRole('list', { name: /^Photos.* in order$/ }).getByRole('listitem');
    await expect(tiles).toHaveCount(photos.length);
    await page.getByRole('button', { name: `Make cover: Photo ${photos.length}` }).click();
  }
  await page.getByRole('combobox', { name: 'Address' }).fill('418 Forest Avenue, Laguna Beach');
  await page.getByRole('option', { name: 'Laguna Beach, CA' }).first().click();
  await goOn(page, 'Contacts');
}

async function fillContacts(page: Page, admin: Person): Promise<void> {
  await page.getByLabel('Phone').fill('714 555 0134');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('front@desk.example');
  await page.getByLabel('First name').fill(admin.firstName);
  await page.getByLabel('Last name').fill(admin.lastName);
  await page.getByLabel("Admin's email").fill(admin.email);
  await goOn(page, 'Intake hours');
}

async function fillHouses(page: Page, houses: NonNullable<NewSite['houses']>): Promise<void> {
  for (const [index, { name, beds }] of houses.entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Add House' }).click();
    const house = page.getByRole('group', { name: `House ${index + 1}`, exact: true });
    await house.getByLabel('House name').fill(name);
    await house.getByLabel(`Treatment beds in ${name}`).fill(String(beds));
  }
  await goOn(page, 'Services');
}

async function goOn(page: Page, next: string): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: next, level: 2 })).toBeFocused();
}

/** Invites someone to the site whose users are shown. */
export async function inviteTo(page: Page, role: 'Admin' | 'Intake' | 'Staff', person: Person): Promise<void> {
  await page.getByRole('button', { name: 'Send invite' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Email').fill(person.email);
  await form.getByLabel('First name').fill(person.firstName);
  await form.getByLabel('Last name').fill(person.lastName);
  await form.getByLabel('Role').selectOption(role);
  await form.getByRole('button', { name: 'Send invite' }).click();
  await expect(form).toBeHidden();
  await expect(userRow(page, person)).toContainText('Invited');
  await expect(userRow(page, person)).toContainText(role);
}

/** The row of a person in a table of users. */
export function userRow(page: Page, { email }: Person): Locator {
  return page.getByRole('row').filter({ hasText: email });
}

/** Chooses an entry from the menu of a person's row. */
export async function chooseFor(page: Page, person: Person, entry: string): Promise<void> {
  await userRow(page, person)
    .getByRole('button', { name: `Actions for ${person.email}` })
    .click();
  const item = page.getByRole('menuitem', { name: entry, exact: true });
  await expect(item).toBeVisible();
  // By keyboard: a message may lie over the menu.
  await item.press('Enter');
}

/** The very next call is refused, and the screen is the one for signing in. */
export async function expectSignedOut(page: Page): Promise<void> {
  expect((await page.request.get('/connect/userinfo')).status()).toBe(401);
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

/** A picture that has really come. */
export async function expectPicture(image: Locator): Promise<void> {
  await expect(image.first()).toBeVisible();
  await expect(image.first()).not.toHaveJSProperty('naturalWidth', 0);
}

/** Answers the file chooser that a button opens. */
async function chooseFiles(page: Page, button: Locator, files: readonly File[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles([...files]);
}
