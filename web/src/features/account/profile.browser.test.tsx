import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { RenderResult } from 'vitest-browser-react';
import { ProfilePage } from '@/pages/profile-page';
import { expectNoViolations } from '@/testing/axe';
import { userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { takeViews } from '@/testing/views';

const done = () => new HttpResponse(null, { status: 204 });
/** Opens a part of the page and waits until it has its height: a press while it grows may miss. */
async function openPart(screen: RenderResult, name: string) {
  const control = screen.getByRole('button', { name, exact: true });
  await control.click();
  const panel = document.getElementById(control.element().getAttribute('aria-controls') ?? '');
  await expect.poll(() => panel?.style.height).toBe('');
}

const stale = () => problem(403, 'Please enter your password again to continue.', { code: 'fresh-proof' });

it('an email changes in three steps, and a taken one is told after a second', async () => {
  const asked: (string | null)[] = [];
  const bodies: unknown[] = [];
  serve(
    http.get('/api/Users/emailBusyness', ({ request }) => {
      const email = new URL(request.url).searchParams.get('email');
      asked.push(email);
      return HttpResponse.json({ isBusy: email === 'admin@demo.example' });
    }),
    http.post('/api/Users/email/challenge', async ({ request }) => {
      bodies.push(await request.json());
      return done();
    }),
  );
  const screen = await renderView(<ProfilePage />);
  await expect.element(screen.getByText('intake@demo.example')).toBeVisible();
  await screen.getByRole('button', { name: 'Change email' }).click();
  await expect.element(screen.getByLabelText('New email')).toHaveFocus();
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(screen.getByRole('button', { name: 'Change email' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Change email' }).click();
  await screen.getByRole('button', { name: 'Send link' }).click();
  await expect.element(screen.getByText('Please enter your new email')).toBeVisible();
  const input = screen.getByLabelText('New email');
  await input.fill('nobody');
  await screen.getByRole('button', { name: 'Send link' }).click();
  await expect.element(screen.getByText('Please enter a valid email')).toBeVisible();
  await expectNoViolations();
  await input.fill('admin@demo.exam');
  await input.fill('admin@demo.example');
  expect(asked).toEqual([]);
  await expect.element(screen.getByText('This email is already in use.'), { timeout: 4000 }).toBeVisible();
  await screen.getByRole('button', { name: 'Send link' }).click();
  expect(bodies).toEqual([]);
  await input.fill('ines@new.example');
  await screen.getByRole('button', { name: 'Send link' }).click();
  await expect.element(screen.getByText('Check your email')).toBeVisible();
  await expect.element(screen.getByRole('status').filter({ hasText: 'Check your email' })).toHaveFocus();
  await expectNoViolations();
  expect(asked).toEqual(['admin@demo.example']);
  expect(bodies).toEqual([{ email: 'ines@new.example', redirectUri: location.origin }]);
});

it('what is typed while the link to a new email is sent does not change the email that is named', async () => {
  let send = (): void => undefined;
  const sent = new Promise<void>((resolve) => (send = resolve));
  serve(
    http.get('/api/Users/emailBusyness', () => HttpResponse.json({ isBusy: false })),
    http.post('/api/Users/email/challenge', () => sent.then(done)),
  );
  const screen = await renderView(<ProfilePage />);
  await screen.getByRole('button', { name: 'Change email' }).click();
  const input = screen.getByLabelText('New email');
  await input.fill('ines@new.example');
  await screen.getByRole('button', { name: 'Send link' }).click();
  await input.click();
  await userEvent.keyboard('{Backspace}zz');
  send();
  await expect.element(screen.getByRole('status').filter({ hasText: 'ines@new.example' })).toBeVisible();
});

it('after too many checks of an email the form says that it cannot check, and promises no link', async () => {
  serve(
    http.get('/api/Users/emailBusyness', () => problem(429, 'Too many attempts. Please wait 60 seconds.')),
    http.post('/api/Users/email/challenge', done),
  );
  const screen = await renderView(<ProfilePage />);
  await screen.getByRole('button', { name: 'Change email' }).click();
  await screen.getByLabelText('New email').fill('admin@demo.example');
  const unchecked = screen.getByText(/We can't check right now whether this email is in use/);
  await expect.element(unchecked, { timeout: 4000 }).toBeVisible();
  await screen.getByRole('button', { name: 'Send link' }).click();
  await expect.element(screen.getByText(/If no one else uses admin@demo.example/)).toBeVisible();
  await expect.element(screen.getByText(/We sent a link/)).not.toBeInTheDocument();
});

it('a phone changes in three steps by the code that was sent to it', async () => {
  let phone = '+17145550165';
  const bodies: unknown[] = [];
  serve(
    http.get('/connect/userinfo', () => HttpResponse.json(userInfo({ phone_number: phone }))),
    http.post('/api/Users/phone/challenge', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ phone: '+1 ••• ••• 0199', resendAfterSeconds: 30 });
    }),
    http.put(
      '/api/Users/phone',
      () => problem(422, 'Fields', { errors: [{ pointer: '/token', message: 'Invalid confirmation code.' }] }),
      { once: true },
    ),
    http.put('/api/Users/phone', async ({ request }) => {
      bodies.push(await request.json());
      phone = '+17145550199';
      return done();
    }),
  );
  const screen = await renderView(<ProfilePage />);
  await screen.getByRole('button', { name: 'Change phone' }).click();
  await expect.element(screen.getByLabelText('New phone')).toHaveFocus();
  await screen.getByRole('button', { name: 'Send code' }).click();
  await expect.element(screen.getByText('Please enter your phone number')).toBeVisible();
  await screen.getByLabelText('New phone').fill('714 555 0199');
  await screen.getByRole('button', { name: 'Send code' }).click();
  await expect.element(screen.getByText(/We sent a 6-digit code to \+1 \(714\) 555-0199/)).toBeVisible();
  await expect.element(screen.getByLabelText('Confirmation code')).toHaveFocus();
  await screen.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(screen.getByText('Please enter the confirmation code')).toBeVisible();
  await screen.getByLabelText('Confirmation code').fill('123 456');
  await screen.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(screen.getByText('Invalid confirmation code.')).toBeVisible();
  await expect.element(screen.getByLabelText('Confirmation code')).toHaveFocus();
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(screen.getByText('Phone has been updated')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Change phone' })).toHaveFocus();
  await expect.element(screen.getByText('+1 (714) 555-0199')).toBeVisible();
  expect(bodies).toEqual([{ phone: '+17145550199' }, { phone: '+17145550199', token: '123456' }]);
});

it('a phone change that was cancelled on its way asks for no password later, and sends no code', async () => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const sent: string[] = [];
  serve(
    http.post('/api/Users/phone/challenge', async () => {
      sent.push('code');
      await asked;
      return stale();
    }),
  );
  const screen = await renderView(<ProfilePage />);
  await screen.getByRole('button', { name: 'Change phone' }).click();
  await screen.getByLabelText('New phone').fill('714 555 0199');
  await screen.getByRole('button', { name: 'Send code' }).click();
  await screen.getByRole('button', { name: 'Cancel' }).click();
  answer();
  await screen.getByRole('button', { name: 'Change phone' }).click();
  await expect.element(screen.getByRole('button', { name: 'Send code' })).not.toHaveAttribute('data-loading');
  await expect.element(screen.getByLabelText('New phone')).toHaveValue('');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(sent).toEqual(['code']);
});

it('a password changes after the old one and, where it is asked for, a fresh proof', async () => {
  const proofs: unknown[] = [];
  const bodies: unknown[] = [];
  serve(
    http.put('/api/Users/password', stale, { once: true }),
    http.put('/api/Users/password', async ({ request }) => {
      bodies.push(await request.json());
      return done();
    }),
    http.post(
      '/connect/prove',
      () => problem(422, 'Fields', { errors: [{ pointer: '/password', message: 'The password is incorrect.' }] }),
      { once: true },
    ),
    http.post('/connect/prove', async ({ request }) => {
      proofs.push(await request.json());
      return done();
    }),
  );
  const screen = await renderView(<ProfilePage />);
  await openPart(screen, 'Security');
  await screen.getByLabelText('New password', { exact: true }).fill('Calm-Harbor 7 lights');
  await screen.getByLabelText('Confirm new password').fill('Calm-Harbor 7 lights');
  await screen.getByRole('button', { name: 'Change password' }).click();
  await expect.element(screen.getByText('Please enter your old password')).toBeVisible();
  await screen.getByLabelText('Old password').fill('Open-Door-2026');
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Change password' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Please enter your password again' });
  await expect.element(dialog).toBeVisible();
  await dialog.getByLabelText('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(dialog.getByText('The password is incorrect.')).toBeVisible();
  await expectNoViolations();
  await dialog.getByLabelText('Password', { exact: true }).fill('Open-Door-2026');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(screen.getByText('Password has been changed')).toBeVisible();
  expect(proofs).toEqual([{ password: 'Open-Door-2026' }]);
  expect(bodies).toEqual([{ oldPassword: 'Open-Door-2026', newPassword: 'Calm-Harbor 7 lights' }]);
});

it('a profile is deleted only after DELETE was typed exactly, and a refusal is told in place', async () => {
  serve(
    answerGet('/connect/userinfo', userInfo()),
    http.delete('/api/Users', () => problem(409, 'The last global admin cannot be removed or disabled.'), {
      once: true,
    }),
    http.delete('/api/Users', done),
  );
  const screen = await renderView(<ProfilePage />, { path: '/user-settings' });
  await openPart(screen, 'Profile');
  await screen.getByRole('button', { name: 'Delete profile' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Delete your profile?' });
  const confirm = dialog.getByRole('button', { name: 'Delete profile' });
  await dialog.getByLabelText('Type DELETE to confirm').fill('delete');
  await expect.element(confirm).toBeDisabled();
  await expectNoViolations();
  await dialog.getByLabelText('Type DELETE to confirm').fill('DELETE');
  await confirm.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The last global admin cannot be removed');
  await confirm.click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/login');
});

it.each(['light', 'dark'])('an open part looks like a closed one, %s', async (scheme) => {
  const screen = await renderView(<ProfilePage />);
  await expect.element(screen.getByText('intake@demo.example')).toBeVisible();
  const { dataset } = document.documentElement;
  const before = dataset.mantineColorScheme;
  dataset.mantineColorScheme = scheme;
  try {
    for (const change of document.getAnimations()) change.finish();
    const parts = [...document.querySelectorAll('.mantine-Accordion-item')];
    const colors = parts.map((part) => getComputedStyle(part).backgroundColor);
    expect(parts.length).toBeGreaterThan(1);
    expect([...new Set(colors)]).toHaveLength(1);
  } finally {
    dataset.mantineColorScheme = before;
  }
});

it('a move to a vacant bed stops asking once somebody says so, for that user alone', async () => {
  const sent = takeViews();
  const screen = await renderView(<ProfilePage />);
  await openPart(screen, 'Preferences');
  const choice = screen.getByRole('switch', { name: 'Move to a vacant bed without asking' });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  await expect.element(choice).toBeChecked();
  await expect.poll(() => sent).toEqual(['moves-unasked: on']);
  await expectNoViolations();
  await choice.click();
  await expect.poll(() => sent).toEqual(['moves-unasked: on', 'moves-unasked: ']);
});

it('the own name is changed in place: the focus goes into the form and back, and no save is sent without a change', async () => {
  const bodies: unknown[] = [];
  serve(
    http.put('/api/Users/name', async ({ request }) => {
      bodies.push(await request.json());
      return done();
    }),
  );
  const screen = await renderView(<ProfilePage />);
  const change = screen.getByRole('button', { name: 'Change name' });
  await change.click();
  await expect.element(screen.getByLabelText('First name')).toHaveFocus();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(change).toHaveFocus();
  await expect.element(screen.getByText('Your name was saved.')).not.toBeInTheDocument();
  expect(bodies).toEqual([]);
  await change.click();
  await screen.getByLabelText('First name').fill('Inez');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(change).toHaveFocus();
  expect(bodies).toEqual([{ firstName: 'Inez', lastName: 'Moreno' }]);
});
