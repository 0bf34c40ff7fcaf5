import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { OrganizationInsurersPage } from './components/organization-insurers-page';
import { OrganizationPage } from '@/pages/organization-page';
import { OrganizationsPage } from '@/pages/organizations-page';
import { expectNoViolations } from '@/testing/axe';
import { siteDetails } from '@/testing/bed-builders';
import { currentUser, publicSettings } from '@/testing/builders';
import { organization, owner } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';

afterEach(async () => {
  cleanNotifications();
  await page.viewport(1360, 900);
});

const global = currentUser({ role_global: true });
const ownerOfBay = currentUser({ role_owner_organization_ids: 'bay' });
const intake = currentUser({ role_intake_site_ids: 's1' });

const show = (view: React.ReactNode, user = global) => renderView(<Suspense fallback="…">{view}</Suspense>, { user });

const sites = (...items: object[]) => answerGet('/api/Sites', onePage(items));

describe('a list of organizations', () => {
  it('offers to change them to those who may, each menu by the name of its organization', async () => {
    serve(answerGet('/api/Organizations', [organization('bay'), organization('cove')]));
    const screen = await show(<OrganizationsPage type="organizations" />, ownerOfBay);
    await expect.element(screen.getByRole('button', { name: 'Actions for bay' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Actions for cove' }).query()).toBeNull();
    expect(screen.getByRole('button', { name: 'New Organization' }).query()).toBeNull();
    expect(screen.getByRole('button', { name: 'Global overview' }).query()).toBeNull();
  });

  it('lets a global admin create the first one', async () => {
    serve(answerGet('/api/public/settings', publicSettings()), answerGet('/api/Organizations', []));
    const screen = await show(<OrganizationsPage type="paid-rehabs" />);
    await screen.getByRole('button', { name: 'New Organization' }).click();
    const dialog = screen.getByRole('dialog', { name: 'New commercial organization' });
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await expect.element(dialog.getByText('Organization name is a required field.')).toBeVisible();
    await expect.element(dialog.getByText('Email is a required field.')).toBeVisible();
    await expect.element(dialog.getByText('Please add a logo to organization.')).toBeVisible();
    await expect.element(dialog.getByRole('textbox', { name: 'Organization name' })).toHaveFocus();
    await dialog.getByRole('textbox', { name: 'Owner email' }).fill('nobody');
    await userEvent.tab();
    await expect.element(dialog.getByText('Invalid email.')).toBeVisible();
    await expectNoViolations();
  });
});

describe('editing an organization', () => {
  const bay = organization('bay', { logoPath: '/favicon.svg', isCommercial: true });

  async function open(user = global, answers: Schemas['Organization'] = bay) {
    serve(answerGet('/api/Organizations', [answers]));
    const screen = await show(<OrganizationsPage type="paid-rehabs" />, user);
    await screen.getByRole('button', { name: 'Actions for bay' }).click();
    await screen.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Edit bay' });
    await expect.element(dialog.getByRole('textbox', { name: 'Organization name' })).toHaveValue('bay');
    return { screen, dialog };
  }

  it('needs a name and a way to pay, and sends what was changed with the version that was seen', async () => {
    const sent: Schemas['OrganizationEdit'][] = [];
    serve(
      http.put<{ id: string }, Schemas['OrganizationEdit']>('/api/Organizations/:id', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ ...bay, name: 'Bay Shore' });
      }),
    );
    const { screen, dialog } = await open();
    await dialog.getByRole('textbox', { name: 'Organization name' }).fill('');
    for (const method of ['Private pay', 'Insurance', 'Medicaid or No Insurance']) {
      await dialog.getByRole('checkbox', { name: method, exact: true }).click();
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText('Organization name is a required field.')).toBeVisible();
    await expect.element(dialog.getByText('At least one payment method is required.')).toBeVisible();
    await expectNoViolations();

    await dialog.getByRole('textbox', { name: 'Organization name' }).fill('Bay Shore');
    await dialog.getByRole('checkbox', { name: 'Insurance', exact: true }).click();
    await dialog.getByRole('switch', { name: 'Shown in search' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Changes to Bay Shore were saved.')).toBeVisible();
    expect(sent).toEqual([
      {
        id: 'bay',
        version: 1,
        name: 'Bay Shore',
        logoPath: '/favicon.svg',
        reservationPaymentMethodIds: [2],
        isDisabled: true,
      },
    ]);
  });

  it('shows a taken name at its field, and keeps what was typed', async () => {
    const message = 'An organization with this name already exists.';
    serve(http.put('/api/Organizations/:id', () => problem(409, message, { errors: [{ pointer: '/name', message }] })));
    const { dialog } = await open();
    await dialog.getByRole('textbox', { name: 'Organization name' }).fill('Cove');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText(message)).toBeVisible();
    await expect.element(dialog.getByRole('textbox', { name: 'Organization name' })).toHaveValue('Cove');
  });

  it('does not overwrite what someone else changed meanwhile before saying so', async () => {
    let current = bay;
    const versions: (number | null | undefined)[] = [];
    const { dialog, screen } = await open();
    serve(
      http.get('/api/Organizations', () => HttpResponse.json([current])),
      http.put<{ id: string }, Schemas['OrganizationEdit']>('/api/Organizations/:id', async ({ request }) => {
        const { version, name } = await request.json();
        versions.push(version);
        return version === current.version ? HttpResponse.json({ ...current, name }) : problem(412, 'Changed.');
      }),
    );
    current = { ...bay, name: 'Their Bay', logoPath: 'uploads/org_theirs.jpg', version: 2 };
    await dialog.getByRole('textbox', { name: 'Organization name' }).fill('My Bay');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Saved now: Their Bay')).toBeVisible();
    await expect.element(dialog.getByRole('img', { name: 'Logo, saved now' })).toBeInTheDocument();
    await expect.element(dialog.getByRole('alert')).not.toHaveTextContent('uploads');
    await expect.element(dialog.getByRole('textbox', { name: 'Organization name' })).toHaveValue('My Bay');
    await dialog.getByRole('button', { name: 'Save mine instead' }).click();
    await expect.element(screen.getByText('Changes to My Bay were saved.')).toBeVisible();
    expect(versions).toEqual([1, 2]);
  });

  it('lets only a global admin show and hide it', async () => {
    const { dialog } = await open(ownerOfBay);
    await expect.element(dialog.getByRole('checkbox', { name: 'Private pay' })).toBeVisible();
    expect(dialog.getByRole('switch').query()).toBeNull();
  });
});

describe('deleting an organization', () => {
  it('asks by name and for the word, says what it ends, and stays with the refusal of the server', async () => {
    let isBusy = true;
    serve(
      answerGet('/api/Organizations', [organization('bay', { siteCount: 2, isCommercial: true })]),
      http.delete('/api/Organizations/:id', () =>
        isBusy ? problem(409, 'Discharge or decline them first.') : new HttpResponse(null, { status: 204 }),
      ),
    );
    const screen = await show(<OrganizationsPage type="organizations" />, ownerOfBay);
    await screen.getByRole('button', { name: 'Actions for bay' }).click();
    await screen.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Delete bay?' });
    await expect.element(dialog.getByText(/Its 2 sites are deleted too/)).toBeVisible();
    await expect.element(dialog.getByText(/^Subscriptions of its sites are canceled at once/u)).toBeVisible();
    await expect.element(dialog.getByText(/^You cannot delete it while a bed is occupied/u)).toBeVisible();
    await expect.element(dialog.getByText(/^Its Billing History cannot be opened any more then/u)).toBeVisible();
    await dialog.getByLabelText('Type DELETE to confirm').click();
    await userEvent.keyboard('delete{Enter}');
    await expect.element(dialog.getByRole('button', { name: 'Delete organization' })).toBeDisabled();
    await dialog.getByLabelText('Type DELETE to confirm').clear();
    await userEvent.keyboard('DELETE');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Discharge or decline them first.');
    await expect.element(dialog.getByLabelText('Type DELETE to confirm')).toHaveValue('DELETE');
    await expectNoViolations();
    isBusy = false;
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await expect.element(screen.getByText('bay was deleted.')).toBeVisible();
  });

  it('asks for no word if nothing goes with it', async () => {
    serve(
      answerGet('/api/Organizations', [organization('bay', { siteCount: 0 })]),
      http.delete('/api/Organizations/:id', () => new HttpResponse(null, { status: 204 })),
    );
    const screen = await show(<OrganizationsPage type="organizations" />, ownerOfBay);
    await screen.getByRole('button', { name: 'Actions for bay' }).click();
    await screen.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Delete bay?' });
    await expect.element(dialog.getByText('Its owners lose access.')).toBeVisible();
    // The title has asked already.
    expect(dialog.getByText(/Are you sure/).elements()).toEqual([]);
    expect(dialog.getByRole('textbox').elements()).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await expect.element(screen.getByText('bay was deleted.')).toBeVisible();
  });
});

describe('the page of an organization', () => {
  const harbor = { ...siteDetails([], { name: 'Harbor', organizationId: 'bay' }), roles: [] };

  it('offers its buttons to owners and global admins alone', async () => {
    serve(answerGet('/api/Organizations/:id', organization('bay', { isCommercial: true })), sites(harbor));
    const screen = await show(<OrganizationPage organizationId="bay" type="organizations" />, ownerOfBay);
    await expect.element(screen.getByRole('link', { name: 'Insurances List' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Owners List' })).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'New Site' }))
      .toHaveAttribute('href', expect.stringContaining('/sites/new/bay'));
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Actions for Harbor' }).click();
    await screen.getByRole('menuitem', { name: 'Edit' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/sites/s1/edit');
  });

  it('shows none of them to others, and no insurances of a non-commercial one', async () => {
    serve(answerGet('/api/Organizations/:id', organization('bay')), sites(harbor));
    const screen = await show(<OrganizationPage organizationId="bay" type="organizations" />, intake);
    await expect.element(screen.getByRole('link', { name: 'Harbor' })).toBeVisible();
    for (const name of ['Owners List', 'Actions for bay', 'Actions for Harbor']) {
      expect(screen.getByRole('button', { name }).query()).toBeNull();
    }
    expect(screen.getByRole('link', { name: 'New Site' }).query()).toBeNull();
    const again = await show(<OrganizationPage organizationId="bay" type="organizations" />, ownerOfBay);
    await expect.element(again.getByRole('button', { name: 'Owners List' })).toBeVisible();
    expect(again.getByRole('link', { name: 'Insurances List' }).query()).toBeNull();
  });

  it.each([true, false])(
    'deletes a site after asking for it by name and for the word, commercial: %s',
    async (isCommercial) => {
      const deleted: string[] = [];
      serve(
        answerGet('/api/Organizations/:id', organization('bay', { isCommercial })),
        sites(harbor),
        http.delete<{ id: string }>('/api/Sites/:id', ({ params }) => {
          deleted.push(params.id);
          return new HttpResponse(null, { status: 204 });
        }),
      );
      const screen = await show(<OrganizationPage organizationId="bay" type="organizations" />, ownerOfBay);
      await screen.getByRole('button', { name: 'Actions for Harbor' }).click();
      await screen.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = screen.getByRole('dialog', { name: 'Are you sure you want to delete Harbor?' });
      await expect.element(screen.getByText(/You cannot delete it while a bed is occupied/u)).toBeVisible();
      const ends = screen.getByText(/^A subscription of this site is canceled at once/u);
      expect(ends.elements()).toHaveLength(isCommercial ? 1 : 0);
      await expect.element(dialog.getByRole('button', { name: 'Delete site' })).toBeDisabled();
      await dialog.getByRole('textbox').click();
      await userEvent.keyboard('DELETE');
      await dialog.getByRole('button', { name: 'Delete site' }).click();
      await expect.element(screen.getByText('Harbor was deleted.')).toBeVisible();
      expect(deleted).toEqual(['s1']);
    },
  );
});

describe('the owners of an organization', () => {
  async function open(...owners: ReturnType<typeof owner>[]) {
    serve(
      answerGet('/api/Organizations/:id', organization('bay')),
      sites(),
      answerGet('/api/AccessUsers/organizationScopeUsers', owners),
    );
    const screen = await show(<OrganizationPage organizationId="bay" type="organizations" />, ownerOfBay);
    await screen.getByRole('button', { name: 'Owners List' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Owners of bay' });
    await expect.element(dialog.getByRole('button', { name: 'Send invite' })).toBeVisible();
    return { screen, dialog };
  }

  it('are shown with their state, and with what the server lets the caller do', async () => {
    const invited = owner('Ivy', { membershipStatus: 'PendingInvitation', firstName: '', lastName: '' }, [
      'resend',
      'remove',
    ]);
    const { screen, dialog } = await open(owner('Otto', {}, []), invited, owner('Ann', {}, ['disable', 'remove']));
    await expect.element(dialog.getByText('Otto Test')).toBeVisible();
    await expect.element(dialog.getByText('Invited')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Actions for Otto Test' }).query()).toBeNull();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Actions for Ivy@test.example' }).click();
    await expect.element(screen.getByRole('menuitem', { name: 'Send invitation again' })).toBeVisible();
    await expect.element(screen.getByRole('menuitem', { name: 'Remove' })).toBeVisible();
    expect(screen.getByRole('menuitem', { name: 'Disable' }).query()).toBeNull();
    await userEvent.keyboard('{Escape}');

    serve(http.delete('/api/AccessUsers/:id', () => problem(409, 'The last owner stays.')));
    await dialog.getByRole('button', { name: 'Actions for Ann Test' }).click();
    await screen.getByRole('menuitem', { name: 'Remove' }).click();
    const removal = screen.getByRole('dialog', { name: 'Confirm User Removal' });
    await expect.element(removal.getByText('Are you sure you want to remove this user?')).toBeVisible();
    await removal.getByRole('button', { name: 'Remove' }).click();
    await expect.element(removal.getByRole('alert')).toHaveTextContent('The last owner stays.');
  });

  it('may be invited; a refusal sets the three messages and tells the reason', async () => {
    const bodies: object[] = [];
    const { screen, dialog } = await open(owner('Otto', {}, []));
    let refused = true;
    serve(
      http.post<never, object>('/api/AccessUsers/organizationScopeUsers', async ({ request }) => {
        bodies.push(await request.json());
        const message = 'This person is an owner already.';
        return refused
          ? problem(409, message, { errors: [{ pointer: '/email', message }] })
          : HttpResponse.json(owner('New', {}, []), { status: 201 });
      }),
    );
    await dialog.getByRole('button', { name: 'Send invite' }).click();
    await expect.element(dialog.getByText('Email is a required field.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Email' }).fill('nobody');
    await expect.element(dialog.getByText('Invalid email.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Email' }).fill('otto@test.example');
    await dialog.getByRole('button', { name: 'Send invite' }).click();
    for (const text of ['Email is mandatory.', 'First Name is mandatory.', 'Last Name is mandatory.']) {
      await expect.element(dialog.getByText(text)).toBeVisible();
    }
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('This person is an owner already.');

    refused = false;
    await dialog.getByRole('textbox', { name: 'Email' }).fill('new@test.example');
    await dialog.getByRole('textbox', { name: 'First name' }).fill('New');
    await dialog.getByRole('textbox', { name: 'Last name' }).fill('Owner');
    await dialog.getByRole('button', { name: 'Send invite' }).click();
    await expect.element(screen.getByText('An invitation is on its way to new@test.example.')).toBeVisible();
    await expect.element(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue('');
    expect(bodies.at(-1)).toEqual({
      email: 'new@test.example',
      firstName: 'New',
      lastName: 'Owner',
      receiveReservationTexts: true,
      language: 'en',
      organizationId: 'bay',
      role: 'Owner',
      redirectUri: `${location.origin}/login/callback`,
    });
  });
});

describe('the global overview', () => {
  it('searches organizations, people and global admins, and disables no global admin', async () => {
    const asked: string[] = [];
    serve(
      answerGet('/api/public/settings', publicSettings()),
      answerGet('/api/Organizations', [organization('Bay'), organization('Cove', { isCommercial: true })]),
      http.get('/api/AccessUsers', ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(query.toString());
        const all = [
          owner('Otto', {}, ['disable']),
          owner('Gina', { role: 'GlobalAdmin', organization: null }, ['disable']),
        ];
        const wanted = query.get('Role');
        return HttpResponse.json(onePage(all.filter(({ role }) => !wanted || role === wanted)));
      }),
    );
    const screen = await show(<OrganizationsPage type="free-rehabs" />);
    await screen.getByRole('button', { name: 'Global overview' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Global overview' });
    await dialog.getByRole('textbox', { name: 'Search organizations' }).fill('cov');
    await expect.element(dialog.getByRole('link', { name: 'Bay' })).not.toBeInTheDocument();
    await expect.element(dialog.getByRole('link', { name: 'Cove' })).toBeVisible();

    await dialog.getByRole('tab', { name: 'Users' }).click();
    await expect.element(dialog.getByRole('button', { name: 'Disable Otto Test' })).toBeVisible();
    expect(dialog.getByText('Gina Test').query()).toBeNull();
    await expectNoViolations();
    await dialog.getByRole('textbox', { name: 'Search users' }).fill('ott');
    await expect.poll(() => asked.at(-1)).toBe('PageSize=250&PageNumber=1&search=ott');

    await dialog.getByRole('tab', { name: 'Global Admins' }).click();
    await expect.element(dialog.getByText('Gina Test')).toBeVisible();
    expect(dialog.getByRole('button', { name: /Disable/ }).query()).toBeNull();
    expect(asked.at(-1)).toBe('PageSize=300&PageNumber=1&Role=GlobalAdmin');
  });
});

describe('the insurers of an organization', () => {
  const anchor = { id: 'a', name: 'Anchor', logoPath: null, isPrimary: true };
  const beacon = { id: 'b', name: 'Beacon', logoPath: null, isPrimary: false };
  const coast = { id: 'c', name: 'Coast', logoPath: null, isPrimary: false };

  it('are added from those that are not linked yet, and taken away after asking', async () => {
    const sent: (string[] | undefined)[] = [];
    let linked = [anchor];
    const now = () => organization('bay', { isCommercial: true, insuranceCompanies: linked });
    serve(
      http.get('/api/Organizations/:id', () => HttpResponse.json(now())),
      answerGet('/api/InsuranceCompanies', [anchor, beacon, coast]),
      http.put<{ id: string }, Schemas['OrganizationEdit']>('/api/Organizations/:id', async ({ request }) => {
        const { insuranceCompanyIds = [] } = await request.json();
        sent.push(insuranceCompanyIds);
        linked = [anchor, beacon, coast].filter(({ id }) => insuranceCompanyIds.includes(id));
        return HttpResponse.json(now());
      }),
    );
    const screen = await show(<OrganizationInsurersPage organizationId="bay" type="paid-rehabs" />);
    await expect.element(screen.getByText('Top Insurance')).toBeVisible();
    await screen.getByRole('button', { name: 'Add Insurance' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Add insurance companies to bay' });
    expect(dialog.getByRole('checkbox', { name: 'Anchor' }).query()).toBeNull();
    await dialog.getByRole('checkbox', { name: 'Beacon' }).click();
    await dialog.getByRole('textbox').fill('coa');
    await dialog.getByRole('checkbox', { name: 'Coast' }).click();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect.element(screen.getByText('2 insurance companies were added.')).toBeVisible();
    await screen.getByRole('button', { name: 'Delete Anchor' }).click();
    await screen.getByRole('button', { name: 'Remove from the list' }).click();
    await expect.element(screen.getByText('Anchor was removed from the list.')).toBeVisible();
    expect(sent).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('stand below their organization; Cancel adds none, and companies that cannot be loaded say why', async () => {
    serve(
      answerGet('/api/Organizations/:id', organization('bay', { isCommercial: true, insuranceCompanies: [anchor] })),
      http.get('/api/InsuranceCompanies', () => problem(503, 'The service is busy.')),
    );
    const screen = await show(<OrganizationInsurersPage organizationId="bay" type="paid-rehabs" />);
    const way = screen.getByRole('navigation', { name: 'Breadcrumb' });
    await expect.element(way).toHaveTextContent('bayInsurance companies');
    const links = way.getByRole('link').elements();
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/paid-rehabs', '/paid-rehabs/bay']);
    await screen.getByRole('button', { name: 'Add Insurance' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Add insurance companies to bay' });
    await expect.element(dialog.getByText('The service is busy.')).toBeVisible();
    serve(answerGet('/api/InsuranceCompanies', [anchor, beacon]));
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.element(dialog.getByRole('checkbox', { name: 'Beacon' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it('are only read by those who may not change them', async () => {
    serve(
      answerGet('/api/Organizations/:id', organization('bay', { isCommercial: true, insuranceCompanies: [anchor] })),
    );
    const screen = await show(<OrganizationInsurersPage organizationId="bay" type="organizations" />, intake);
    await expect.element(screen.getByText('Anchor')).toBeVisible();
    expect(screen.getByRole('button', { name: /Insurance|Delete/ }).query()).toBeNull();
  });
});
