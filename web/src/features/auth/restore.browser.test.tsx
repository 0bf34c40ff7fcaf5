import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { expectNoViolations } from '@/testing/axe';
import { onSessionEnd } from '@/lib/session-end';
import { currentUser, userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { ConfirmEmail } from './components/confirm-email';
import { ResetPasswordForm } from './components/reset-password-form';
import { RestorePasswordForm } from './components/restore-password-form';
import { UndoEmailChange } from './components/undo-email-change';

const LINK = { token: 'berth_p_1', userId: '0190a000-0000-7000-8000-000000000001' };
const SENTENCE = 'If you have an email address in our system, we will send you a link to restore access...';

for (const [answer, response] of [
  ['a sent link', () => new HttpResponse(null, { status: 204 })],
  ['a refusal', () => problem(429, 'Too many attempts.')],
] as const) {
  it(`asking for a link always shows the same result: ${answer}`, async () => {
    const bodies: unknown[] = [];
    serve(
      http.post('/api/Users/password/reset', async ({ request }) => {
        bodies.push(await request.json());
        return response();
      }),
    );
    const screen = await renderView(<RestorePasswordForm />, { user: null });
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Send link' }).click();
    await expect.element(screen.getByText('Please enter your email')).toBeVisible();
    await screen.getByLabelText('Email').fill('ines');
    await expect.element(screen.getByText('Invalid email.')).toBeVisible();
    await screen.getByLabelText('Email').fill(' ines@demo.example ');
    await screen.getByRole('button', { name: 'Send link' }).click();
    await expect.element(screen.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect.element(screen.getByText(SENTENCE)).toBeVisible();
    await expectNoViolations();
    expect(bodies).toEqual([{ email: 'ines@demo.example', redirectUri: location.origin }]);
  });
}

it('a link sets a new password, tells what the server refuses, and leads to the sign-in page', async () => {
  const bodies: unknown[] = [];
  serve(
    http.put(
      '/api/Users/password',
      () =>
        problem(422, 'Please check the marked fields.', {
          errors: [{ pointer: '/newPassword', message: 'This password is too common and not allowed' }],
        }),
      { once: true },
    ),
    http.put('/api/Users/password', async ({ request }) => {
      bodies.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  serve(http.get('/connect/userinfo', () => HttpResponse.json(null)));
  const screen = await renderView(<ResetPasswordForm link={LINK} />, { user: null });
  await screen.getByLabelText('New password', { exact: true }).fill('Open-Door-2026');
  await screen.getByLabelText('Confirm new password').fill('Open-Door-2027');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('Passwords must match')).toBeVisible();
  await screen.getByLabelText('Confirm new password').fill('Open-Door-2026');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('This password is too common and not allowed')).toBeVisible();
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Access restored!' })).toBeVisible();
  await expectNoViolations();
  expect(bodies).toEqual([{ ...LINK, newPassword: 'Open-Door-2026' }]);
  await screen.getByRole('link', { name: 'Open login' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/login');
});

for (const [what, path, view, press] of [
  [
    'a new password',
    '/api/Users/password',
    () => <ResetPasswordForm link={LINK} />,
    async (screen: Awaited<ReturnType<typeof renderView>>) => {
      await screen.getByLabelText('New password', { exact: true }).fill('Open-Door-2026');
      await screen.getByLabelText('Confirm new password').fill('Open-Door-2026');
      await screen.getByRole('button', { name: 'Save' }).click();
    },
  ],
  [
    'an email taken back',
    '/api/Users/email',
    () => <UndoEmailChange link={LINK} />,
    (screen: Awaited<ReturnType<typeof renderView>>) => screen.getByRole('button', { name: 'Restore' }).click(),
  ],
] as const) {
  it(`${what} ends no session of somebody else in this browser, and says whose it is`, async () => {
    serve(
      http.put(path, () => new HttpResponse(null, { status: 204 })),
      answerGet('/connect/userinfo', userInfo({ email: 'ines@demo.example' })),
    );
    const ended = vi.fn<() => void>();
    const stop = onSessionEnd(ended);
    const screen = await renderView(view(), { user: currentUser({ email: 'ines@demo.example' }) });
    await press(screen);
    await expect
      .element(
        screen.getByText('This browser is still signed in as ines@demo.example. Sign out first if that is not you.'),
      )
      .toBeVisible();
    await expectNoViolations();
    expect(ended).not.toHaveBeenCalled();
    stop();
    await screen.getByRole('link', { name: 'Sign out' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/logout');
  });

  it(`${what} forgets the session of its own account in this browser`, async () => {
    serve(
      http.put(path, () => new HttpResponse(null, { status: 204 })),
      http.get('/connect/userinfo', () => HttpResponse.json(null)),
    );
    const ended = vi.fn<() => void>();
    const stop = onSessionEnd(ended);
    const screen = await renderView(view(), { user: currentUser() });
    await press(screen);
    await expect.poll(() => ended.mock.calls).toEqual([['sign-out']]);
    stop();
  });
}

it('a missing and a used-up link say so and offer a new one', async () => {
  serve(http.put('/api/Users/password', () => problem(409, 'This link has been used or has expired.')));
  const missing = await renderView(<ResetPasswordForm />, { user: null });
  await expect
    .element(missing.getByRole('alert'))
    .toHaveTextContent('This link is incomplete. Open the link in your email again.');
  await expect.element(missing.getByRole('link', { name: 'Request a new link' })).toBeVisible();
  await missing.unmount();
  const screen = await renderView(<ResetPasswordForm link={LINK} />, { user: null });
  await screen.getByLabelText('New password', { exact: true }).fill('Open-Door-2026');
  await screen.getByLabelText('Confirm new password').fill('Open-Door-2026');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('This link has been used or has expired.');
  await screen.getByRole('link', { name: 'Request a new link' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/restore-password');
});

it('a new email is confirmed by a press, not by opening the link', async () => {
  const bodies: unknown[] = [];
  serve(
    http.put('/api/Users/email', async ({ request }) => {
      bodies.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const screen = await renderView(<ConfirmEmail link={LINK} />);
  await expectNoViolations();
  expect(bodies).toEqual([]);
  await screen.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Email has been updated' })).toBeVisible();
  await expectNoViolations();
  expect(bodies).toEqual([LINK]);
});

it('the old address takes a changed email back by a press, and is led to a new password', async () => {
  const bodies: unknown[] = [];
  serve(
    http.put('/api/Users/email', () => problem(409, 'This link has been used or has expired.'), { once: true }),
    http.put('/api/Users/email', async ({ request }) => {
      bodies.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  serve(http.get('/connect/userinfo', () => HttpResponse.json(null)));
  const screen = await renderView(<UndoEmailChange link={LINK} />, { user: null });
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Restore' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('This link has been used or has expired.');
  expect(bodies).toEqual([]);
  await screen.getByRole('button', { name: 'Restore' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Your email is restored' })).toBeVisible();
  await expectNoViolations();
  expect(bodies).toEqual([LINK]);
  await screen.getByRole('link', { name: 'Set a new password' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/restore-password');
});
