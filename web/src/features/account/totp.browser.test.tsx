import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '@/testing/axe';
import { currentUser, userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { Authenticator } from './components/authenticator';
import { CodeForm } from '@/features/auth/components/code-form';

const QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4" fill="#fff"/></svg>';
const CODES = Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-000${index}`);
const stale = () => problem(403, 'Please enter your password again to continue.', { code: 'fresh-proof' });
const done = () => new HttpResponse(null, { status: 204 });

describe('the authenticator app', () => {
  it('is set up by picture or key and its first code; the recovery codes are shown once', async () => {
    let hasTotp = false;
    const codes: unknown[] = [];
    serve(
      http.get('/connect/userinfo', () =>
        HttpResponse.json(userInfo({ has_totp: hasTotp, recovery_codes_left: hasTotp ? 10 : 0 })),
      ),
      http.post('/connect/prove', done),
      http.post('/api/Users/totp', stale, { once: true }),
      http.post('/api/Users/totp', () =>
        HttpResponse.json({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x', qrSvg: QR }),
      ),
      http.put('/api/Users/totp', async ({ request }) => {
        codes.push(await request.json());
        if (codes.length === 1) {
          return problem(422, 'Fields', { errors: [{ pointer: '/token', message: 'Invalid confirmation code.' }] });
        }
        hasTotp = true;
        return HttpResponse.json({ recoveryCodes: CODES });
      }),
    );
    const screen = await renderView(<Authenticator />);
    await expect
      .element(screen.getByText(/Someone who takes over your phone number can receive your text messages/))
      .toBeVisible();
    await screen.getByRole('button', { name: 'Set up authenticator app' }).click();
    const proof = screen.getByRole('dialog', { name: 'Please enter your password again' });
    await proof.getByLabelText('Password', { exact: true }).fill('Open-Door-2026');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await expect.element(screen.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    await expect.element(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Turn on' }).click();
    await expect.element(screen.getByText('Please enter the confirmation code')).toBeVisible();
    await screen.getByLabelText('Code from the app').fill('12 34 56');
    await screen.getByRole('button', { name: 'Turn on' }).click();
    await expect.element(screen.getByText('Invalid confirmation code.')).toBeVisible();
    await screen.getByRole('button', { name: 'Turn on' }).click();
    const saved = screen.getByRole('dialog', { name: 'Save your recovery codes' });
    await expect.element(saved.getByText('aaaa-bbbb-0009')).toBeVisible();
    expect(saved.getByRole('listitem').elements()).toHaveLength(10);
    await expect.element(saved.getByRole('link', { name: 'Download' })).toHaveAttribute('download');
    await expectNoViolations();
    await saved.getByRole('button', { name: 'I have saved them' }).click();
    await expect.element(screen.getByText(/10 recovery codes left/)).toBeVisible();
    expect(codes[1]).toEqual({ token: '123456' });
  });

  it('makes new recovery codes, and warns when few are left', async () => {
    serve(
      answerGet('/connect/userinfo', userInfo({ has_totp: true, recovery_codes_left: 10 })),
      http.post('/api/Users/totp/recoveryCodes', () => HttpResponse.json({ recoveryCodes: CODES })),
    );
    const user = currentUser({ has_totp: true, recovery_codes_left: 1 });
    const screen = await renderView(<Authenticator />, { user });
    await expect.element(screen.getByText(/1 recovery code left\. Create new ones/)).toBeVisible();
    await screen.getByRole('button', { name: 'New recovery codes' }).click();
    const question = screen.getByRole('dialog', { name: 'Create new recovery codes?' });
    await expectNoViolations();
    await question.getByRole('button', { name: 'New recovery codes' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible();
    await expect.element(question).not.toBeInTheDocument();
  });

  it('turns off after a question; a refusal stands in it', async () => {
    let hasTotp = true;
    serve(
      http.get('/connect/userinfo', () => HttpResponse.json(userInfo({ has_totp: hasTotp, recovery_codes_left: 5 }))),
      http.delete('/api/Users/totp', () => problem(503, 'Please try again in a minute.'), { once: true }),
      http.delete('/api/Users/totp', () => {
        hasTotp = false;
        return done();
      }),
    );
    const user = currentUser({ has_totp: true, recovery_codes_left: 5 });
    const screen = await renderView(<Authenticator />, { user });
    await screen.getByRole('button', { name: 'Turn off' }).click();
    const question = screen.getByRole('dialog', { name: 'Turn off the authenticator app?' });
    await question.getByRole('button', { name: 'Turn off' }).click();
    await expect.element(question.getByRole('alert')).toHaveTextContent('Please try again in a minute.');
    await question.getByRole('button', { name: 'Turn off' }).click();
    await expect.element(screen.getByRole('button', { name: 'Set up authenticator app' })).toBeVisible();
  });
});

it('the failure of one question is not in the next, nor in the same one opened again', async () => {
  const user = currentUser({ has_totp: true, recovery_codes_left: 5 });
  serve(
    answerGet('/connect/userinfo', userInfo({ has_totp: true, recovery_codes_left: 5 })),
    http.post('/api/Users/totp/recoveryCodes', () => problem(503, 'Please try again in a minute.')),
  );
  const screen = await renderView(<Authenticator />, { user });
  const codes = screen.getByRole('dialog', { name: 'Create new recovery codes?' });
  await screen.getByRole('button', { name: 'New recovery codes' }).click();
  await codes.getByRole('button', { name: 'New recovery codes' }).click();
  await expect.element(codes.getByRole('alert')).toHaveTextContent('Please try again in a minute.');
  await codes.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(codes).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Turn off' }).click();
  const off = screen.getByRole('dialog', { name: 'Turn off the authenticator app?' });
  await expect.element(off).toBeVisible();
  expect(screen.getByText('Please try again in a minute.').elements()).toHaveLength(0);
  await off.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(off).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'New recovery codes' }).click();
  await expect.element(codes).toBeVisible();
  expect(screen.getByText('Please try again in a minute.').elements()).toHaveLength(0);
});

describe('the second step', () => {
  it('offers app and recovery code only to those who have them', async () => {
    const screen = await renderView(<CodeForm state={{}} />, { user: null });
    await expect.element(screen.getByRole('button', { name: 'Use authenticator app' })).not.toBeInTheDocument();
  });

  it('takes the code of the app, or a recovery code however it is typed', async () => {
    const codes: (string | null)[] = [];
    serve(
      answerGet('/connect/userinfo', userInfo()),
      http.post('/connect/token', async ({ request }) => {
        codes.push(new URLSearchParams(await request.text()).get('otp'));
        return codes.length === 1
          ? HttpResponse.json({ error: 'invalid_grant' }, { status: 400 })
          : HttpResponse.json({ token_type: 'Bearer', expires_in: 900, stage: 'full' });
      }),
    );
    const screen = await renderView(<CodeForm state={{ returnTo: '/sites' }} hasTotp />, { user: null });
    await screen.getByRole('button', { name: 'Use authenticator app' }).click();
    await expect.element(screen.getByText(/that your authenticator app shows/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Send a new code' })).not.toBeInTheDocument();
    await expect.element(screen.getByLabelText('Confirmation code')).toHaveFocus();
    await screen.getByLabelText('Confirmation code').fill('654321');
    await screen.getByRole('button', { name: 'Confirm' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Invalid confirmation code.');
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Use a recovery code' }).click();
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Confirm' }).click();
    await expect.element(screen.getByText('Please enter the recovery code')).toBeVisible();
    await screen.getByLabelText('Recovery code').fill('AAAA bbbb0001');
    await expect.element(screen.getByLabelText('Recovery code')).toHaveValue('aaaa-bbbb-0001');
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/sites');
    expect(codes).toEqual(['654321', 'aaaa-bbbb-0001']);
  });
});
