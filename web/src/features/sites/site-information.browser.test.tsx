import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { changeLanguage } from '@/i18n/i18n';
import { expectNoViolations } from '@/testing/axe';
import { siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { SITE } from '@/testing/site-world';
import { SiteInformation } from './components/site-information';

afterEach(async () => {
  await changeLanguage('en');
  await page.viewport(1360, 900);
});

const admin = currentUser({ role_admin_site_ids: 's1' });
const intake = currentUser({ role_intake_site_ids: 's1' });

describe('the information of a site', () => {
  it('says everything; a long description by its beginning', async () => {
    const description = 'A quiet house with a garden near the beach. '.repeat(5).trim();
    const site = {
      ...SITE,
      description,
      alias: 'The Harbor',
      contactWeb: 'https://harbor.example/',
      adminEmail: 'ada@harbor.example',
      adminFirstName: 'Ada',
      adminLastName: 'Moreno',
      nonCommercialPaymentMethods: [{ id: 'ss', name: 'Sliding Scale' }],
    };
    const screen = await renderView(<SiteInformation site={site} />, { user: admin });
    await expect.element(screen.getByText('This site is shown in search.')).toBeVisible();
    await expect.element(screen.getByText('A quiet house with a garden near the beach. A…')).toBeVisible();
    await screen.getByRole('button', { name: 'more' }).click();
    await expect.element(screen.getByText(description)).toBeVisible();
    await screen.getByRole('button', { name: 'less' }).click();
    await expect.element(screen.getByRole('link', { name: '+1 (714) 555-0100' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: /^harbor\.example/ })).toBeVisible();
    await expect.element(screen.getByText('Ada Moreno')).toBeVisible();
    await expect.element(screen.getByText(/^9:10\sAM – 5:00\sPM$/)).toBeVisible();
    await expect.element(screen.getByText('24 hours')).toBeVisible();
    await expect.element(screen.getByText('Sliding Scale')).toBeVisible();
    await expect.element(screen.getByText('No photos yet.')).toBeVisible();
    await expectNoViolations();
    await screen.getByRole('link', { name: 'Edit Site' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/sites/s1/edit');
  });

  it('does not say that it is shown in search while its organization is hidden', async () => {
    const screen = await renderView(<SiteInformation site={{ ...SITE, organizationIsDisabled: true }} />, {
      user: admin,
    });
    const sentence = 'This organization is not shown in search, so this site is not either.';
    await expect.element(screen.getByText(sentence)).toBeVisible();
    expect(screen.getByText('This site is shown in search.').query()).toBeNull();
  });

  it('names what the server’s catalogue has in Spanish, and keeps the server’s name of what is new', async () => {
    await changeLanguage('es');
    const service = (id: string, name: string) => ({ id, name, category: 'General' as const, type: null });
    const site = {
      ...SITE,
      services: [service('case-management', 'Case management'), service('brand-new', 'Brand new help')],
      languages: [
        { id: 'de', name: 'German' },
        { id: 'eo', name: 'Esperanto' },
      ],
      isCommercial: false,
      nonCommercialPaymentMethods: [
        { id: 'ss', name: 'Sliding Scale' },
        { id: 'new', name: 'Barter' },
      ],
    };
    const screen = await renderView(<SiteInformation site={site} />, { user: admin });
    for (const name of ['Gestión de casos', 'Brand new help', 'Alemán', 'Esperanto', 'Tarifa según ingresos', 'Barter'])
      await expect.element(screen.getByText(name, { exact: true })).toBeVisible();
    await changeLanguage('en');
    for (const name of ['Case management', 'German', 'Sliding Scale'])
      await expect.element(screen.getByText(name, { exact: true })).toBeVisible();
  });

  it('of a non-commercial site says that it names no payment forms', async () => {
    const screen = await renderView(<SiteInformation site={siteDetails([], { isCommercial: false })} />, {
      user: intake,
    });
    await expect.element(screen.getByText('Payment Forms Accepted')).toBeVisible();
    await expect.element(screen.getByText('No Specified Payment Types')).toBeVisible();
  });

  it('has the parts of the specification, the services in their groups', async () => {
    const service = (name: string, category: 'General' | 'Disability' | 'Gender' | 'Age') => ({
      id: name,
      name,
      category,
      type: null,
    });
    const site = siteDetails([], {
      services: [
        service('Age 18 to 26', 'Age'),
        service('Women', 'Gender'),
        service('Hearing', 'Disability'),
        service('Detox', 'General'),
      ],
      intakePeriods: [{ timePeriod: 'Weekends', enabled: true, from: '00:01:00', to: '00:01:00' }],
      languages: [{ id: 'de', name: 'German' }],
      alias: 'The Harbor',
      contactWeb: 'https://harbor.example/',
      insuranceCompanies: [{ id: 'i1', name: 'Meridian Mutual', logoPath: '/favicon.svg', isPrimary: false }],
    });
    const screen = await renderView(<SiteInformation site={site} />, { user: intake });
    const titles = (level: number) =>
      screen
        .getByRole('heading', { level })
        .elements()
        .map((heading) => heading.textContent);
    await expect.element(screen.getByText('All Day')).toBeVisible();
    expect(titles(2)).toEqual([
      'Basic Info',
      'Contacts',
      'Photos',
      'Intake hours',
      'Other',
      'Services',
      'Insurance(s)',
    ]);
    expect(titles(3)).toEqual(['Services', 'Disabilities', 'Allowed genders', 'Allowed age ranges']);
    const labels = screen.getByRole('term').elements();
    const wanted =
      'Name, Alias, Description, Visibility, Address, Phone, Website, Email, Weekends, Languages, Max screening period';
    expect(labels.map((label) => label.textContent).join(', ')).toBe(wanted);
    const insurer = screen.getByRole('listitem').filter({ hasText: 'Meridian Mutual' });
    expect(insurer.element().querySelector('img')?.getAttribute('src')).toBe('/favicon.svg');
  });

  it('of a commercial site names its insurers, and is only read by intake', async () => {
    await page.viewport(390, 844);
    const site = siteDetails([], { isDisabled: true });
    const screen = await renderView(<SiteInformation site={site} />, { user: intake });
    await expect.element(screen.getByText('This site is not shown in search.')).toBeVisible();
    await expect.element(screen.getByText('No valid insurance products available.')).toBeVisible();
    await expect.element(screen.getByText('No services yet.')).toBeVisible();
    // Only non-commercial sites have payment forms of their own (spec B section 2).
    await expect.element(screen.getByText('Payment Forms Accepted')).not.toBeInTheDocument();
    await expect.element(screen.getByText("Times are in the site's time zone: Pacific Time.")).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Edit Site' })).not.toBeInTheDocument();
    await expectNoViolations();
  });

  it('shows its photos, the cover first, each as large as the window allows', async () => {
    const site = siteDetails([], {
      insuranceCompanies: [{ id: 'i1', name: 'Meridian Mutual', logoPath: null, isPrimary: true }],
      images: [
        { imagePath: '/b.png', index: 1 },
        { imagePath: '/a.png', index: 0 },
      ],
    });
    const screen = await renderView(<SiteInformation site={site} />, { user: intake });
    await expect.element(screen.getByText('Top Insurance')).toBeVisible();
    await screen.getByRole('button', { name: 'Enlarge Cover photo of Harbor House' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Cover photo of Harbor House' })).toBeVisible();
    await screen.getByRole('button', { name: 'Next photo' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Photo 2 of 2 of Harbor House' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Next photo' })).toBeDisabled();
    await expectNoViolations();
  });
});
