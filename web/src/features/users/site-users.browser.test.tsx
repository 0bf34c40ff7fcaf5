import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import type { TableSearch } from '@/components/data-table/data-table.types';
import { writePreference } from '@/lib/preferences';
import { accessUser, invitedUser, NOTHING } from '@/testing/access-users';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { SiteUsersTable } from './components/site-users-table';

afterEach(async () => {
  cleanNotifications();
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const me = currentUser({ role_admin_site_ids: 's1', sub: 'user-me' });
const own = accessUser('me', { role: 'Admin', can: NOTHING });
const ana = accessUser('ana');
const ben = accessUser('ben', { role: 'Staff', membershipStatus: 'Disabled' });
const cleo = invitedUser('cleo');
const site = { id: 's1', name: 'Harbor House' };

async function openTable(kind: 'management' | 'tab', users: readonly object[] = [own, ana, ben, cleo]) {
  serve(answerGet('/api/AccessUsers/siteScopeUsers', users));
  function Table() {
    const [search, setSearch] = useState<TableSearch>({ page: 0, direction: 'asc' });
    return <SiteUsersTable site={site} kind={kind} search={search} onSearch={setSearch} />;
  }
  const screen = await renderView(<Table />, { user: me });
  const menu = (email: string) => screen.getByRole('button', { name: `Actions for ${email}` });
  const choose = async (email: string, entry: string) => {
    await menu(email).click();
    await screen.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  const entries = async (email: string) => {
    await menu(email).click();
    await expect.element(screen.getByRole('menu')).toBeVisible();
    const found = screen
      .getByRole('menuitem')
      .elements()
      .map((entry) => entry.textContent);
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
    return found;
  };
  return Object.assign(screen, { menu, choose, entries });
}

function serveChanges(answer: () => Response = () => HttpResponse.json(ana)) {
  const sent: unknown[] = [];
  serve(
    http.patch('/api/AccessUsers/:id', async ({ request, params }) => {
      sent.push([params.id, await request.json()]);
      return answer();
    }),
  );
  return sent;
}

describe('a search for users', () => {
  const many = Array.from({ length: 20 }, (_, index) => invitedUser(`user${String(index + 1).padStart(2, '0')}`));

  it('is there from 20 users on, and finds by a part of the email on every page', async () => {
    const screen = await openTable('management', many);
    await screen.getByRole('textbox', { name: 'Search users' }).fill('USER17');
    await expect.element(screen.getByRole('link', { name: many[16]?.user.email ?? '' })).toBeVisible();
    await expect.element(screen.getByText('1–1 of 1')).toBeVisible();
    await screen.getByRole('textbox', { name: 'Search users' }).fill('nobody');
    await expect.element(screen.getByText('Nothing found')).toBeVisible();
  });

  it('is not there for fewer', async () => {
    const screen = await openTable('management', many.slice(1));
    await expect.element(screen.getByText('1–5 of 19')).toBeVisible();
    await expect.element(screen.getByRole('textbox', { name: 'Search users' })).not.toBeInTheDocument();
  });
});

describe('the user management', () => {
  it('has email, status, role and for each row what may be done to it', async () => {
    const screen = await openTable('management');
    const headings = screen.getByRole('columnheader');
    await expect
      .poll(() => headings.elements().map((heading) => heading.textContent))
      .toEqual(['Email', 'Status', 'Role', 'Actions']);
    await expect.element(screen.getByText('Your Account')).toBeVisible();
    await expect.element(screen.getByText('Invited')).toBeVisible();
    await expectNoViolations();
    await expect.element(screen.menu('me@demo.example')).not.toBeInTheDocument();
    expect(await screen.entries('ana@demo.example')).toEqual([
      'Edit',
      'Disable',
      'Change role to Admin',
      'Change role to Staff',
      'Delete',
    ]);
    expect(await screen.entries('ben@demo.example')).toContain('Enable');
    expect(await screen.entries('cleo@demo.example')).toEqual(['Send invitation again', 'Delete']);
  });

  it('disables at once and offers the way back', async () => {
    const sent = serveChanges();
    const screen = await openTable('management');
    await screen.choose('ana@demo.example', 'Disable');
    await expect.element(screen.getByText('Ana Lane is disabled and no longer has access.')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByText('Ana Lane can sign in again.')).toBeVisible();
    expect(sent).toEqual([
      ['ana', { isDisabled: true }],
      ['ana', { isDisabled: false }],
    ]);
  });

  it('changes a role, and tells in the server’s words or in ours why it did not', async () => {
    const answers = [
      () => HttpResponse.json(ana),
      () => problem(403, 'You may not give this role.'),
      () => new HttpResponse(null, { status: 500 }),
    ];
    const sent = serveChanges(() => answers.shift()?.() ?? HttpResponse.error());
    const screen = await openTable('management');
    await screen.choose('ana@demo.example', 'Change role to Staff');
    await expect.element(screen.getByText('Ana Lane is now Staff.')).toBeVisible();
    expect(sent).toEqual([['ana', { role: 'Staff', siteId: 's1', organizationId: 'o1' }]]);
    await screen.choose('ana@demo.example', 'Change role to Admin');
    await expect.element(screen.getByText('You may not give this role.')).toBeVisible();
    await screen.choose('ana@demo.example', 'Change role to Admin');
    await expect.element(screen.getByText("Unknown error appeared while changing user's role.")).toBeVisible();
  });

  it('sends an invitation again', async () => {
    const sent: unknown[] = [];
    serve(
      http.post('/api/AccessUsers/:id/invitation', async ({ request, params }) => {
        sent.push([params.id, await request.json()]);
        return new HttpResponse(null, { status: 202 });
      }),
    );
    const screen = await openTable('management');
    await screen.choose('cleo@demo.example', 'Send invitation again');
    await expect.element(screen.getByText('A new invitation is on its way to cleo@demo.example.')).toBeVisible();
    expect(sent).toEqual([['cleo', { redirectUri: `${location.origin}/login/callback` }]]);
  });

  it('says that there is nobody, and when it could not be loaded', async () => {
    const screen = await openTable('management', []);
    await expect.element(screen.getByText('No records available in users')).toBeVisible();
    await expectNoViolations();
  });

  it('is made of cards on a phone, in the dark too', async () => {
    await page.viewport(390, 844);
    writePreference('colorScheme', 'dark');
    const screen = await openTable('management');
    await expect.element(screen.menu('ana@demo.example')).toBeVisible();
    await expectNoViolations();
  });
});

describe('an invitation', () => {
  it('asks for email and names, is for an admin with texts at first, and puts a refusal at the email', async () => {
    const bodies: unknown[] = [];
    serve(
      http.post('/api/AccessUsers/siteScopeUsers', async ({ request }) => {
        bodies.push(await request.json());
        return bodies.length === 1
          ? problem(409, 'Already there.', {
              errors: [{ pointer: '/email', message: 'This person has access to the site already.' }],
            })
          : HttpResponse.json(cleo, { status: 201 });
      }),
    );
    const screen = await openTable('management');
    await screen.getByRole('button', { name: 'Send invite' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Invite someone to Harbor House' });
    await expect.element(dialog.getByLabelText('Role')).toHaveValue('Admin');
    await expect.element(dialog.getByLabelText('Receive reservation texts')).toBeChecked();
    await dialog.getByRole('button', { name: 'Send invite' }).click();
    for (const text of ['Please enter your new email', 'Please enter your first name', 'Please enter your last name']) {
      await expect.element(dialog.getByText(text)).toBeVisible();
    }
    await expectNoViolations();
    await dialog.getByLabelText('Email').fill('cleo@demo');
    await dialog.getByLabelText('First name').fill('Cleo');
    await dialog.getByLabelText('Last name').fill('Lane');
    await expect.element(dialog.getByText('Invalid email.')).toBeVisible();
    await dialog.getByLabelText('Email').fill('cleo@demo.example');
    await dialog.getByLabelText('Role').selectOptions('Intake');
    await dialog.getByLabelText('Invitation language').selectOptions('Español');
    await dialog.getByRole('button', { name: 'Send invite' }).click();
    await expect.element(dialog.getByText('This person has access to the site already.')).toBeVisible();
    await expect.element(dialog.getByLabelText('Email')).toHaveFocus();
    await dialog.getByRole('button', { name: 'Send invite' }).click();
    await expect.element(screen.getByText('An invitation is on its way to cleo@demo.example.')).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(bodies[1]).toEqual({
      email: 'cleo@demo.example',
      firstName: 'Cleo',
      lastName: 'Lane',
      role: 'Intake',
      receiveReservationTexts: true,
      language: 'es',
      siteId: 's1',
      redirectUri: `${location.origin}/login/callback`,
    });
  });

  it('that fails without a field stands at the email too', async () => {
    serve(http.post('/api/AccessUsers/siteScopeUsers', () => problem(429, 'Too many invitations.')));
    const screen = await openTable('management');
    await screen.getByRole('button', { name: 'Send invite' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Email').fill('cleo@demo.example');
    await dialog.getByLabelText('First name').fill('Cleo');
    await dialog.getByLabelText('Last name').fill('Lane');
    await dialog.getByRole('button', { name: 'Send invite' }).click();
    await expect.element(dialog.getByText('Too many invitations.')).toBeVisible();
    await expect.element(dialog.getByLabelText('Email')).toHaveAttribute('aria-invalid', 'true');
  });
});

describe('when somebody else changes the user meanwhile', () => {
  const theirs = { ...ana, role: 'Staff' as const, membershipStatus: 'Disabled' as const, version: 2 };

  async function openEdit() {
    const screen = await openTable('management');
    const world = { ana, edits: [] as Schemas['AccessUserEdit'][] };
    serve(
      http.get('/api/AccessUsers/siteScopeUsers', () => HttpResponse.json([own, world.ana])),
      http.patch<{ id: string }, Schemas['AccessUserEdit']>('/api/AccessUsers/:id', async ({ request }) => {
        const edit = await request.json();
        world.edits.push(edit);
        return edit.version === world.ana.version ? HttpResponse.json(world.ana) : problem(412, 'Changed.');
      }),
    );
    await screen.choose('ana@demo.example', 'Edit');
    const dialog = screen.getByRole('dialog', { name: 'Edit Ana Lane' });
    const save = () => dialog.getByRole('button', { name: 'Save' }).click();
    return { screen, world, dialog, save, lastName: dialog.getByLabelText('Last name') };
  }

  it('Save asks first, and a disabled person stays disabled, in the new role', async () => {
    const { screen, world, dialog, save, lastName } = await openEdit();
    const texts = dialog.getByLabelText('Receive reservation texts');
    await texts.click();
    await lastName.click();
    await userEvent.keyboard('{End}-Reed');
    world.ana = theirs;
    await save();
    const notice = dialog.getByRole('alert');
    await expect.element(notice).toHaveTextContent('Someone else changed this in the meantime.');
    await expect.element(notice).toHaveTextContent('RoleSaved now: Staff');
    await expect.element(notice).toHaveTextContent('DisabledSaved now: On');
    await expect.element(lastName).toHaveValue('Lane-Reed');
    await expect.element(texts).not.toBeChecked();
    await expect.element(dialog.getByLabelText('Role')).toHaveValue('Staff');
    await expect.element(dialog.getByLabelText('Disabled')).toBeChecked();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Save mine too' }).click();
    await expect.element(screen.getByText('Changes to Ana Lane-Reed were saved.')).toBeVisible();
    expect(world.edits.map(({ version }) => version)).toEqual([1, 2]);
    expect(world.edits[1]).toMatchObject({
      lastName: 'Lane-Reed',
      receiveReservationTexts: false,
      role: 'Staff',
      isDisabled: true,
    });
  });

  it('on a phone, what answers the question is in sight', async () => {
    await page.viewport(390, 664);
    const { world, dialog, save, lastName } = await openEdit();
    await lastName.click();
    await userEvent.keyboard('{End}-Reed');
    world.ana = theirs;
    await save();
    for (const name of ['Keep editing', 'Save mine too']) {
      await expect.element(dialog.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    }
    await page.viewport(1360, 900);
  });

  it('the role chosen here replaces theirs only after the question, and the rest stays theirs', async () => {
    const { world, dialog, save } = await openEdit();
    await dialog.getByLabelText('Role').selectOptions('Admin');
    world.ana = theirs;
    await save();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('RoleSaved now: StaffYours: Admin');
    await dialog.getByRole('button', { name: 'Save mine instead' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(world.edits[1]).toMatchObject({ role: 'Admin', isDisabled: true, version: 2 });
  });

  it('the question comes as soon as the table knows, and editing can go on over what was saved', async () => {
    const { screen, world, dialog, lastName } = await openEdit();
    await lastName.click();
    await userEvent.keyboard('{End}-Reed');
    world.ana = theirs;
    await screen.queryClient.invalidateQueries();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(lastName).toHaveValue('Lane-Reed');
    await expect.element(dialog.getByLabelText('Role')).toHaveValue('Staff');
    await expect.element(dialog.getByLabelText('Disabled')).toBeChecked();
    await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
    expect(world.edits).toEqual([]);
  });

  it('the form follows by itself while nothing is changed in it', async () => {
    const { screen, world, dialog } = await openEdit();
    world.ana = theirs;
    await screen.queryClient.invalidateQueries();
    await expect.element(dialog.getByLabelText('Disabled')).toBeChecked();
    await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  });
});

describe('the Users tab', () => {
  it('has names, and Edit and Remove for others', async () => {
    const screen = await openTable('tab');
    const headings = screen.getByRole('columnheader');
    await expect
      .poll(() => headings.elements().map((heading) => heading.textContent))
      .toEqual(['Email', 'First Name', 'Last Name', 'Role', 'Status', 'Actions']);
    await expect.element(screen.menu('me@demo.example')).not.toBeInTheDocument();
    expect(await screen.entries('ana@demo.example')).toEqual(['Edit', 'Remove']);
    await expectNoViolations();
  });

  it('edits a user; the email is shown only', async () => {
    const sent = serveChanges();
    const screen = await openTable('tab');
    await screen.choose('ana@demo.example', 'Edit');
    const dialog = screen.getByRole('dialog', { name: 'Edit Ana Lane' });
    await expect.element(dialog.getByLabelText('Email')).toHaveAttribute('readonly');
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await dialog.getByLabelText('First name').fill('');
    await dialog.getByLabelText('Last name').fill('Reed');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText('First name is required')).toBeVisible();
    await expectNoViolations();
    await dialog.getByLabelText('First name').fill('Anna');
    await dialog.getByLabelText('Role').selectOptions('Staff');
    await dialog.getByLabelText('Receive reservation texts').click();
    await dialog.getByLabelText('Disabled').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Changes to Anna Reed were saved.')).toBeVisible();
    expect(sent).toEqual([
      [
        'ana',
        {
          accessUserId: 'ana',
          isNamesEditAllowed: true,
          siteId: 's1',
          organizationId: 'o1',
          firstName: 'Anna',
          lastName: 'Reed',
          role: 'Staff',
          receiveReservationTexts: false,
          isDisabled: true,
          version: 1,
        },
      ],
    ]);
  });

  it('shows the name of a person with access elsewhere as fixed, and sends the role without it', async () => {
    const sent = serveChanges();
    const shared = { ...ana, can: { ...ana.can, rename: false } };
    const screen = await openTable('tab', [own, shared]);
    await screen.choose('ana@demo.example', 'Edit');
    const dialog = screen.getByRole('dialog', { name: 'Edit Ana Lane' });
    await expect.element(dialog.getByLabelText('First name')).toHaveAttribute('readonly');
    await expect.element(dialog.getByText('This person also has access elsewhere.', { exact: false })).toBeVisible();
    await expectNoViolations();
    await dialog.getByLabelText('Role').selectOptions('Staff');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(sent).toMatchObject([['ana', { isNamesEditAllowed: false, role: 'Staff' }]]);
  });

  it('keeps what was typed when the server refuses', async () => {
    serveChanges(() => problem(409, 'The last owner cannot be disabled.'));
    const screen = await openTable('tab');
    await screen.choose('ana@demo.example', 'Edit');
    await screen.getByLabelText('Last name').fill('Reed');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The last owner cannot be disabled.');
    await expect.element(screen.getByLabelText('Last name')).toHaveValue('Reed');
  });

  it('does not edit the invited, and says why', async () => {
    const screen = await openTable('tab');
    await screen.choose('cleo@demo.example', 'Edit');
    const dialog = screen.getByRole('dialog', { name: 'Cannot edit user.' });
    await expect.element(dialog).toHaveTextContent("You cannot edit a user who hasn't accepted the invitation.");
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(screen.menu('cleo@demo.example')).toHaveFocus();
  });

  it('removes after a question that names the person', async () => {
    const removed: unknown[] = [];
    serve(
      http.delete('/api/AccessUsers/:id', ({ params }) => {
        removed.push(params.id);
        return removed.length === 1 ? problem(409, 'The last admin stays.') : new HttpResponse(null, { status: 204 });
      }),
    );
    const screen = await openTable('tab');
    await screen.choose('ana@demo.example', 'Remove');
    const dialog = screen.getByRole('dialog', { name: 'Confirm User Removal' });
    await expect.element(dialog).toHaveTextContent('Are you sure you want to remove this user?');
    await expect.element(dialog.getByText('Ana Lane')).toBeVisible();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('The last admin stays.');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect.element(screen.getByText('Ana Lane was removed.')).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
  });
});
