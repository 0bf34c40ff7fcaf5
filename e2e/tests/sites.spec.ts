import { MAIN_SITE } from '../lib/accounts.ts';
import { expect, test } from '../lib/test.ts';

const DESCRIPTION = 'A quiet house with a garden, near the beach, for people who want to begin again together.';

test('an owner adds a site step by step, over a reload, changes it, and deletes it by its word', async ({
  openContext,
}) => {
  const page = await (await openContext('ownerFree')).newPage();
  await page.goto('/organizations');
  await page.getByRole('link', { name: 'Open Door Santa Ana' }).click();
  await page.getByRole('link', { name: 'New Site' }).click();
  const next = page.getByRole('button', { name: 'Next' });
  const step = (name: string) => expect(page.getByRole('heading', { name, level: 2 })).toBeFocused();

  await next.click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbor House North');
  await page.getByRole('textbox', { name: 'Description' }).fill(DESCRIPTION);
  await page.getByRole('combobox', { name: 'Address' }).fill('1102 East Fourth Street, Santa Ana');
  await page.getByRole('option', { name: 'Santa Ana, CA' }).first().click();
  await next.click();

  await step('Contacts');
  await page.getByLabel('Phone').fill('714 555 0134');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('front@north.example');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Moreno');
  await page.getByLabel("Admin's email").fill('ada@north.example');
  await page.reload();
  await expect(page.getByText('Your earlier entries are restored.')).toBeVisible();
  await expect(page.getByLabel('Last name')).toHaveValue('Moreno');
  await next.click();

  await step('Intake hours');
  await page.getByRole('checkbox', { name: 'Monday to Friday' }).check();
  await page.getByLabel('Monday to Friday: From').selectOption('All Day');
  await expect(page.getByLabel('Monday to Friday: To')).toBeDisabled();
  await next.click();

  await step('Accomodations');
  await page.getByLabel('Treatment beds in House #1').fill('3');
  await next.click();

  await step('Services');
  await page.getByRole('checkbox', { name: 'Sober living' }).check();
  await page.getByRole('checkbox', { name: 'English' }).check();
  await page.getByLabel('Max screening period').selectOption('24 hours');
  await page.getByRole('button', { name: 'Save changes' }).click();

  await expect(page.getByRole('heading', { name: 'Harbor House North', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'House #1' }).getByText('3 of 3 vacant')).toBeVisible();
  await page.getByRole('tab', { name: 'Information' }).click();
  await expect(page.getByText('Ada Moreno')).toBeVisible();
  await expect(page.getByText('All Day')).toBeVisible();

  await page.getByRole('link', { name: 'Edit Site' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbor House South');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Leave page? Changes that you made wont be saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Harbor House South was saved.')).toBeVisible();

  await page.getByRole('link', { name: 'Edit Site' }).click();
  await page.getByRole('button', { name: 'Delete site' }).click();
  const question = page.getByRole('dialog');
  await question.getByLabel('Type DELETE to confirm').fill('DELETE');
  await question.getByRole('button', { name: 'Delete site' }).click();
  await expect(page.getByRole('heading', { name: 'Open Door Santa Ana', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Harbor House South' })).toHaveCount(0);
});

test('intake is led from the edit page of a site to the sites, and from the wizard home', async ({
  openContext,
  apiAs,
}) => {
  const site = await (await apiAs('admin')).siteCalled(MAIN_SITE);
  const page = await (await openContext('intake')).newPage();
  await page.goto(`/sites/${site.id}/edit`);
  await expect(page).toHaveURL(/\/sites$/);
  await page.goto(`/sites/new/${site.organizationId}`);
  await expect(page).toHaveURL(/\/organizations$/);
});

test('two people who change a site at once lose nothing', async ({ openContext, apiAs }) => {
  const site = await (await apiAs('ownerFree')).siteCalled('Open Door Houses');
  const [first, second] = [
    await (await openContext('ownerFree')).newPage(),
    await (await openContext('global')).newPage(),
  ];
  for (const page of [first, second]) {
    await page.goto(`/sites/${site.id}/edit`);
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(site.name);
  }
  const web = second.getByLabel('Website');
  const stored = await web.inputValue();
  await web.fill('https://second.example');
  await first.getByLabel('Alias').fill('Alias of the first');
  await first.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(first.getByText(`${site.name} was saved.`)).toBeVisible();

  const notice = second.getByRole('alert').filter({ hasText: 'Someone else changed this in the meantime.' });
  await expect(notice).toContainText('Saved now: Alias of the first');
  await expect(web).toHaveValue('https://second.example');
  await notice.getByRole('button', { name: 'Save mine too' }).click();
  await expect(second.getByRole('link', { name: /second\.example/ })).toBeVisible();

  await second.goto(`/sites/${site.id}/edit`);
  await expect(second.getByLabel('Alias')).toHaveValue('Alias of the first');
  await second.getByLabel('Website').fill(stored);
  await second.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(second.getByText(`${site.name} was saved.`)).toBeVisible();
});
