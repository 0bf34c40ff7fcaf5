import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { currentUser, userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { NameDialog } from './components/name-dialog';

const nameless = currentUser({ first_name: '', last_name: '' });

it('a name is asked for, checked at its fields, and saved', async () => {
  const bodies: unknown[] = [];
  serve(
    answerGet('/connect/userinfo', userInfo()),
    http.put(
      '/api/Users/name',
      () => problem(422, 'Fields', { errors: [{ pointer: '/lastName', message: 'Too long.' }] }),
      { once: true },
    ),
    http.put('/api/Users/name', async ({ request }) => {
      bodies.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const screen = await renderView(<NameDialog />, { user: nameless });
  const dialog = screen.getByRole('dialog', { name: 'What is your name?' });
  await expect.element(dialog.getByLabelText('First name')).toHaveFocus();
  await expectNoViolations();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText('First name is required')).toBeVisible();
  await dialog.getByLabelText('First name').click();
  await userEvent.keyboard('Olga');
  await dialog.getByLabelText('Last name').click();
  await userEvent.keyboard('Owens');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText('Too long.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bodies).toEqual([{ firstName: 'Olga', lastName: 'Owens' }]);
});

it('whoever is in a hurry gives the name later', async () => {
  const screen = await renderView(<NameDialog />, { user: nameless });
  await screen.getByRole('button', { name: 'Later' }).click();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
});

it('a name that is typed is not lost by Escape', async () => {
  const screen = await renderView(<NameDialog />, { user: nameless });
  await screen.getByLabelText('First name').click();
  await userEvent.keyboard('Olga{Escape}');
  await screen.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(screen.getByLabelText('First name')).toHaveValue('Olga');
});
