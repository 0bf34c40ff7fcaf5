import type { Page } from '@playwright/test';
import {
  acceptInvitation,
  chooseFor,
  createOrganization,
  createSite,
  expectPicture,
  expectSignedOut,
  fillNewPassword,
  inviteTo,
  mailTo,
  openMailLink,
  type Person,
  picture,
  signInAs,
  userRow,
} from '../lib/administration.ts';
import { latestCode } from '../lib/outbox.ts';
import { click, fillSignIn } from '../lib/sign-in.ts';
import { expect, test } from '../lib/test.ts';

// Many people sign in here, and codes for one address are limited: a server of its own.
test.use({ serverName: 'administration' });

const MINUTES = 60_000;

test('a commercial organization from its creation to the people who come and go', async ({ openContext, server }) => {
  test.setTimeout(5 * MINUTES);
  const [olive, ada, ben, iris, stan] = [
    person('Olive', 'Hart', 181),
    person('Ada', 'Moreno', 182),
    person('Ben', 'Tanaka', 183),
    person('Iris', 'Novak', 184),
    person('Stan', 'Okafor', 185),
  ];
  const newWindow = async () => (await openContext(null)).newPage();
  const open = {
    owner: await newWindow(),
    admin: await newWindow(),
    intake: await newWindow(),
    staff: await newWindow(),
  };
  const global = await (await openContext('global')).newPage();

  await test.step('a global admin creates it, with a logo', async () => {
    await createOrganization(global, { list: 'paid-rehabs', name: 'Lantern Recovery', owner: olive });
  });

  await test.step('its owner follows the invitation and sees this organization alone', async () => {
    await acceptInvitation(open.owner, server.origin, olive);
    await expect(open.owner.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await open.owner.getByRole('link', { name: 'Lantern Recovery' }).click();
  });

  await test.step('the owner creates a site with photos and an address from the list', async () => {
    const photos = [await picture(open.owner, 'olive', 'png'), await picture(open.owner, 'coral', 'jpeg')];
    await createSite(open.owner, { name: 'Lantern House', admin: ada, photos });
    await open.owner.getByRole('tab', { name: 'Information' }).click();
    await expect(open.owner.getByRole('main')).toContainText('Laguna Beach, CA');
    const shown = open.owner.getByRole('region', { name: 'Photos' }).getByRole('listitem');
    await expect(shown).toHaveCount(2);
    await expectPicture(shown.first().locator('img'));
    await expectPicture(shown.last().locator('img'));
  });

  await test.step('beside the one of the wizard, the owner invites another site admin', async () => {
    await open.owner.getByRole('tab', { name: 'Users' }).click();
    await expect(userRow(open.owner, ada)).toContainText('Invited');
    await inviteTo(open.owner, 'Admin', ben);
  });

  await test.step('the admin follows the mail and invites intake and staff, who follow theirs', async () => {
    await acceptInvitation(open.admin, server.origin, ben);
    await open.admin.goto('/user-management');
    await open.admin.getByRole('link', { name: 'Lantern House' }).click();
    await expect(open.admin.getByRole('heading', { level: 1 })).toHaveText('Users of Lantern House');
    await inviteTo(open.admin, 'Intake', iris);
    await inviteTo(open.admin, 'Staff', stan);
    await acceptInvitation(open.intake, server.origin, iris);
    await acceptInvitation(open.staff, server.origin, stan);
  });

  await test.step('roles are changed, and hold at the next call', async () => {
    await open.admin.reload();
    await expect(userRow(open.admin, iris)).toContainText('Active');
    await chooseFor(open.admin, iris, 'Change role to Staff');
    await expect(userRow(open.admin, iris)).toContainText('Staff');
    await chooseFor(open.admin, stan, 'Change role to Intake');
    await expect(userRow(open.admin, stan)).toContainText('Intake');
    expect(await rolesOf(open.intake)).toMatchObject({ role_intake_site_ids: '' });
    expect(await rolesOf(open.intake)).not.toMatchObject({ role_staff_site_ids: '' });
    expect(await rolesOf(open.staff)).not.toMatchObject({ role_intake_site_ids: '' });
  });

  await test.step('one is disabled, one removed: both are out at once', async () => {
    await chooseFor(open.admin, iris, 'Disable');
    await expect(userRow(open.admin, iris)).toContainText('Disabled');
    await expectSignedOut(open.intake);
    await chooseFor(open.admin, stan, 'Delete');
    const question = open.admin.getByRole('dialog', { name: 'Confirm User Removal' });
    await question.getByRole('button', { name: 'Remove' }).click();
    await expect(userRow(open.admin, stan)).toHaveCount(0);
    await expectSignedOut(open.staff);
  });

  await test.step('the admin restores access: every session ends, and the code is still asked', async () => {
    const page = await newWindow();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot password' }).click();
    // The sign-in form has a field of this name, too, and stands until the next page has loaded.
    await expect(page.getByRole('heading', { name: 'Restore access' })).toBeVisible();
    await page.getByLabel('Email').fill(ben.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await openMailLink(page, server.origin, ben.email, 'Restore access');
    const restored = { ...ben, password: 'Bright-Harbor-9152' };
    await fillNewPassword(page, restored.password);
    await expect(page.getByRole('heading', { name: 'Access restored!' })).toBeVisible();
    expect((await page.request.get('/connect/userinfo')).status()).toBe(401);
    await expectSignedOut(open.admin);
    await signInAs(page, server.origin, restored);
    await expect(page.getByRole('link', { name: 'Lantern Recovery' })).toBeVisible();
  });

  // The last step above took the admin's second code, so the owner's first is old enough for another.
  const renamed = { ...olive, email: 'olive.stone@lantern.example', phone: '+16575550191' };
  await test.step("the owner's email changes by the link of a mail, and the old address is told", async () => {
    const page = open.owner;
    await page.goto('/user-settings');
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByLabel('New email').fill(renamed.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('Check your email')).toBeVisible();
    await openMailLink(page, server.origin, renamed.email, 'Confirm your new email');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: 'Email has been updated' })).toBeVisible();
    const told = await mailTo(page.request, server.origin, olive.email, 'Your Berth email was changed');
    expect(told.body).toContain('You can no longer sign in with this address');
    await page.getByRole('link', { name: 'Open profile' }).click();
    await expect(page.getByRole('main')).toContainText(renamed.email);
  });

  await test.step("the owner's phone changes by a code that the new one gets", async () => {
    const page = open.owner;
    await page.getByRole('button', { name: 'Change phone' }).click();
    await page.getByLabel('New phone').fill(renamed.phone.slice(2));
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByText('We sent a 6-digit code to')).toBeVisible();
    await page.getByLabel('Confirmation code').fill(await latestCode(page.request, server.origin, renamed.phone));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Phone has been updated')).toBeVisible();
    await expect(page.getByRole('main')).toContainText('(657) 555-0191');
  });

  await test.step('the new email signs in, the old one does not', async () => {
    const page = await newWindow();
    await page.goto('/login');
    await fillSignIn(page, olive, click);
    await expect(page.getByText('Email or password is incorrect.')).toBeVisible();
    await page.reload();
    await fillSignIn(page, renamed, click);
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  });
});

test('a non-commercial organization, whose site begins with its houses and beds', async ({ openContext, server }) => {
  test.setTimeout(3 * MINUTES);
  const [rita, noel, maya] = [person('Rita', 'Lowe', 186), person('Noel', 'Ames', 187), person('Maya', 'Singh', 188)];
  const global = await (await openContext('global')).newPage();
  const owner = await (await openContext(null)).newPage();
  const admin = await (await openContext(null)).newPage();
  const houses = [
    { name: 'Cedar House', beds: 3 },
    { name: 'Birch House', beds: 2 },
  ];

  await createOrganization(global, { list: 'free-rehabs', name: 'Open Lantern', owner: rita });
  await acceptInvitation(owner, server.origin, rita);
  await owner.getByRole('link', { name: 'Open Lantern' }).click();

  await test.step('the wizard asks for houses, and the site has their beds', async () => {
    await createSite(owner, { name: 'Lantern Shelter', admin: noel, photos: [], houses });
    for (const { name, beds } of houses) {
      await expect(owner.getByRole('region', { name }).getByText(`${beds} of ${beds} vacant`)).toBeVisible();
    }
  });

  await test.step('someone is invited on the Users tab', async () => {
    await owner.getByRole('tab', { name: 'Users' }).click();
    await expect(userRow(owner, noel)).toContainText('Invited');
    await inviteTo(owner, 'Intake', maya);
  });

  await test.step('the admin of the wizard follows the mail and finds the houses', async () => {
    await acceptInvitation(admin, server.origin, noel);
    await admin.getByRole('link', { name: 'Open Lantern' }).click();
    await admin.getByRole('link', { name: 'Lantern Shelter' }).click();
    await expect(admin.getByRole('region', { name: 'Cedar House' }).getByText('3 of 3 vacant')).toBeVisible();
    await owner.reload();
    await expect(userRow(owner, noel)).toContainText('Active');
    await expect(userRow(owner, maya)).toContainText('Invited');
  });

  await test.step('whoever has an account belongs to another organization only after accepting', async () => {
    await createOrganization(global, { list: 'free-rehabs', name: 'Second Lantern', owner: noel });
    await admin.goto('/organizations');
    await expect(admin.getByText('1 invitation is waiting for your answer.')).toBeVisible();
    await expect(admin.getByRole('link', { name: 'Second Lantern' })).toBeHidden();
    await admin.getByRole('link', { name: 'Answer' }).click();
    await admin.getByRole('region', { name: 'Second Lantern' }).getByRole('button', { name: 'Accept' }).click();
    await expect(admin.getByRole('link', { name: 'Second Lantern' })).toBeVisible();
    await expect(admin.getByText('is waiting for your answer')).toBeHidden();
  });
});

function person(firstName: string, lastName: string, phone: number): Person {
  const email = `${firstName}.${lastName}@lantern.example`.toLowerCase();
  return { email, firstName, lastName, password: 'Quiet-Meadow-4471', phone: `+16575550${phone}` };
}

/** What the server says of the roles of whoever is signed in. */
async function rolesOf(page: Page): Promise<Record<string, unknown>> {
  return (await (await page.request.get('/connect/userinfo')).json()) as Record<string, unknown>;
}
