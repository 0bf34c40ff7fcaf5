import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { OrganizationPage } from '@/pages/organization-page';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, onePage, problem, serve } from '@/testing/server';

type Reason = Schemas['Reason'];

const bay = organization('bay', { isCommercial: true });
const ownerOfBay = currentUser({ role_owner_organization_ids: 'bay' });

afterEach(async () => {
  cleanNotifications();
  await page.viewport(1360, 900);
});

/** The server's lists of reasons, and what it was asked to change. */
function reasonsOf(...reasons: Reason[]) {
  const sent: unknown[] = [];
  serve(
    answerGet('/api/Organizations/bay', bay),
    answerGet('/api/Sites', onePage([])),
    http.get('/api/Organizations/bay/reasons', () => HttpResponse.json(reasons)),
    http.post<never, Schemas['NewReason']>('/api/Organizations/bay/reasons', async ({ request }) => {
      const body = await request.json();
      sent.push(body);
      if (reasons.some(({ name }) => name === body.name)) {
        const message = 'This reason is on the list already. If it is retired, restore it.';
        return problem(422, message, { errors: [{ pointer: '/name', message }] });
      }
      const added = { id: `r${reasons.length + 1}`, isDisabled: false, ...body };
      reasons.push(added);
      return HttpResponse.json(added, { status: 201 });
    }),
    http.patch<{ reason: string }, Schemas['ReasonEdit']>(
      '/api/Organizations/bay/reasons/:reason',
      async ({ params, request }) => {
        const edit = await request.json();
        sent.push({ id: params.reason, ...edit });
        const reason = reasons.find(({ id }) => id === params.reason);
        return reason ? HttpResponse.json(Object.assign(reason, edit)) : problem(404, 'Not found.');
      },
    ),
  );
  return sent;
}

async function open() {
  const screen = await renderView(
    <Suspense fallback="…">
      <OrganizationPage organizationId="bay" type="paid-rehabs" />
    </Suspense>,
    { user: ownerOfBay },
  );
  await screen.getByRole('button', { name: 'Actions for bay' }).click();
  await screen.getByRole('menuitem', { name: 'Reasons for declines and discharges' }).click();
  return screen.getByRole('dialog', { name: 'Reasons at bay' });
}

const PAPERS: Reason = { id: 'r1', kind: 'Decline', name: 'Papers missing', isDisabled: false };
const MOVED: Reason = { id: 'r2', kind: 'Discharge', name: 'Moved to another program', isDisabled: true };

it('an owner sees both lists, retired reasons marked', async () => {
  reasonsOf(PAPERS, MOVED);
  const dialog = await open();
  const declines = dialog.getByRole('region', { name: 'Reasons for declines' });
  await expect.element(declines.getByText('Papers missing')).toBeVisible();
  const discharges = dialog.getByRole('region', { name: 'Reasons for discharges' });
  await expect.element(discharges.getByRole('listitem')).toHaveTextContent(/Moved to another program.*Retired/);
  expect(declines.getByText('Retired').query()).toBeNull();
  await expectNoViolations();
  await page.viewport(390, 780);
  await expectNoViolations();
});

it('several reasons of a kind are typed in a row by keyboard alone', async () => {
  const sent = reasonsOf();
  const dialog = await open();
  await expect.element(dialog.getByText('None yet.').first()).toBeVisible();
  await dialog.getByRole('radio', { name: 'Discharges' }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).click();
  await userEvent.keyboard('Completed the program{Enter}');
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent('Completed the program');
  await expect.element(dialog.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
  await userEvent.keyboard('Left on their own{Enter}');
  await expect.element(dialog.getByText('Left on their own')).toBeVisible();
  expect(sent).toEqual([
    { kind: 'Discharge', name: 'Completed the program' },
    { kind: 'Discharge', name: 'Left on their own' },
  ]);
});

it('several are added in a row with the mouse: the field for the next one has the focus', async () => {
  reasonsOf();
  const dialog = await open();
  const name = dialog.getByRole('textbox', { name: 'Reason' });
  await name.fill('Papers missing');
  await dialog.getByRole('button', { name: 'Add a reason' }).click();
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent('Papers missing');
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue('');
});

it('a reason that is on the list is refused at the field, and what was typed stays', async () => {
  reasonsOf(PAPERS);
  const dialog = await open();
  const name = dialog.getByRole('textbox', { name: 'Reason' });
  await dialog.getByRole('button', { name: 'Add a reason' }).click();
  await expect.element(dialog.getByText('Required field.')).toBeVisible();
  await name.fill('Papers missing');
  await dialog.getByRole('button', { name: 'Add a reason' }).click();
  await expect
    .element(name)
    .toHaveAccessibleDescription('This reason is on the list already. If it is retired, restore it.');
  await expect.element(name).toHaveValue('Papers missing');
});

it('a reason is retired, restored and renamed from its menu', async () => {
  const sent = reasonsOf({ ...PAPERS });
  const dialog = await open();
  const choose = async (entry: string) => {
    await dialog.getByRole('button', { name: 'Actions for Papers missing' }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Retire');
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent(/Retired/);
  await choose('Restore');
  await expect.element(dialog.getByRole('listitem')).not.toHaveTextContent(/Retired/);
  await choose('Rename');
  const rename = page.getByRole('dialog', { name: 'Rename Papers missing' });
  await expectNoViolations();
  await rename.getByRole('textbox', { name: 'Reason' }).fill('Papers incomplete');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent('Papers incomplete');
  expect(sent).toEqual([
    { id: 'r1', isDisabled: true },
    { id: 'r1', isDisabled: false },
    { id: 'r1', name: 'Papers incomplete' },
  ]);
});
