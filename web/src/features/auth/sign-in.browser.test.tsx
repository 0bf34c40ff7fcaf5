import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { serverNow } from '@/lib/clock';
import { expectNoViolations } from '@/testing/axe';
import { publicSettings, userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { writePreference } from '@/lib/preferences';
import { answerGet, problem, serve } from '@/testing/server';
import { FormError } from './ui/form-error';
import { LinkSignIn } from './components/link-sign-in';
import { CodeForm } from './components/code-form';
import { CreatePasswordForm } from './components/create-password-form';
import { PhoneForm } from './components/phone-form';
import { SignInForm } from './components/sign-in-form';

const firstStep = userInfo({ stage: 'first_step' });
const REQUIREMENTS = [
  'Password should have at least 12 characters',
  'Password should have at most 128 characters',
  'Password must have at least one uppercase letter',
  'Password must have at least one lowercase letter',
  'Password must have at least one digit',
  'Password must have at least one special character (punctuation) — spaces included',
  'Password must not have more than 2 identical characters in a row',
];
const challenge = { phone: '+1******4567', resendAfterSeconds: 30 };

beforeEach(() => localStorage.clear());

/** A 429 with the seconds to wait. */
function tooMany(seconds: number, code?: string): Response {
  const refusal = problem(429, 'Please wait.', code ? { code } : {});
  refusal.headers.set('Retry-After', String(seconds));
  return refusal;
}

async function accept(label: string) {
  await page.getByRole('checkbox', { name: label }).click();
  const region = page.getByRole('region', { name: /text$/ });
  await expect.element(region).toBeVisible();
  await expect.element(region.getByText('January 29, 2025')).toBeVisible();
  region.element().scrollTop = region.element().scrollHeight;
  const button = page.getByRole('button', { name: 'Accept' });
  await expect.element(button).not.toHaveAttribute('aria-disabled');
  await button.click();
  await expect.element(page.getByRole('checkbox', { name: label })).toBeChecked();
}

it('signs in with both agreements, sends the code, and hands the masked phone over', async () => {
  const forms: Record<string, string>[] = [];
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/connect/userinfo', firstStep),
    http.post('/connect/token', async ({ request }) => {
      expect(request.headers.get('X-Berth')).toBe('1');
      forms.push(Object.fromEntries(new URLSearchParams(await request.text())));
      return HttpResponse.json({ token_type: 'Bearer', expires_in: 600, stage: 'first_step' });
    }),
    http.post('/api/Users/phone/challenge', () => HttpResponse.json(challenge)),
  );
  const screen = await renderView(<SignInForm returnTo="/reservations" />, { user: null, path: '/login' });
  await screen.getByLabelText('Email').fill('intake@demo.example');
  await screen.getByLabelText('Password', { exact: true }).fill('Open-Door-2026');
  await accept('I accept the Terms and Conditions');
  await accept('I accept the User Agreement');
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/two-factor-confirm');
  expect(forms).toEqual([
    {
      client_id: 'berth-web',
      scope: 'api',
      grant_type: 'password',
      username: 'intake@demo.example',
      password: 'Open-Door-2026',
      agreements: '2025-01-29',
      session: 'cookie',
    },
  ]);
  expect(screen.router.state.location.state.signIn).toMatchObject({
    sent: { phone: '+1******4567' },
    returnTo: '/reservations',
  });
  expect(screen.router.state.location.searchStr, 'the phone stands in no address').toBe('');
});

it('says what the product is for, and shows the password on demand', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<SignInForm returnTo="/" />, { user: null, path: '/login' });
  await expect.element(screen.getByText('Find the right rehab right now')).toBeVisible();
  const password = screen.getByLabelText('Password', { exact: true });
  await password.fill('Open-Door-2026');
  await expect.element(password).toHaveAttribute('type', 'password');
  await screen.getByRole('button', { name: 'Show password' }).click();
  await expect.element(password).toHaveAttribute('type', 'text');
  await expect.element(password).toHaveValue('Open-Door-2026');
  await screen.getByRole('button', { name: 'Show password' }).click();
  await expect.element(password).toHaveAttribute('type', 'password');
});

it('shows the server’s words under Sign in, and keeps what was typed', async () => {
  serve(
    answerGet('/api/public/settings', publicSettings()),
    http.post('/connect/token', () =>
      HttpResponse.json(
        { error: 'invalid_grant', error_description: 'Email or password is incorrect.' },
        { status: 400 },
      ),
    ),
  );
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  await screen.getByLabelText('Email').fill('intake@demo.example');
  await screen.getByLabelText('Password', { exact: true }).fill('wrong');
  await accept('I accept the Terms and Conditions');
  await accept('I accept the User Agreement');
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Email or password is incorrect.');
  await expect.element(screen.getByLabelText('Email')).toHaveValue('intake@demo.example');
  await expectNoViolations();
});

it('reports no failed sign-in: the server writes it where it refuses', async () => {
  const reported: string[] = [];
  serve(
    answerGet('/api/public/settings', publicSettings()),
    http.all('/api/*', ({ request }) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/api/public/settings') return undefined;
      reported.push(`${request.method} ${pathname}`);
      return problem(404, 'There is no such page.');
    }),
    http.post('/connect/token', () =>
      HttpResponse.json(
        { error: 'invalid_grant', error_description: 'Email or password is incorrect.' },
        { status: 400 },
      ),
    ),
  );
  writePreference('agreements', '2025-01-29');
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  await screen.getByLabelText('Email').fill('intake@demo.example');
  await screen.getByLabelText('Password', { exact: true }).fill('wrong');
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Email or password is incorrect.');
  // A second refusal: what the first one could have sent late has had its time.
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  expect(reported).toEqual([]);
});

it('says so when the password was right but who it is cannot be told', async () => {
  serve(
    answerGet('/api/public/settings', publicSettings()),
    http.post('/connect/token', () =>
      HttpResponse.json({ token_type: 'Bearer', expires_in: 600, stage: 'first_step' }),
    ),
    http.get('/connect/userinfo', () => problem(500, 'Our mistake.')),
  );
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  await screen.getByLabelText('Email').fill('intake@demo.example');
  await screen.getByLabelText('Password', { exact: true }).fill('Open-Door-2026');
  await accept('I accept the Terms and Conditions');
  await accept('I accept the User Agreement');
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Unknown error happened during user info fetching.');
});

it('whoever was sent here from a page reads why', async () => {
  const screen = await renderView(<SignInForm returnTo="/reservations" />, { user: null, path: '/login' });
  await expect.element(screen.getByText('Please sign in to continue.')).toBeVisible();
});

it('asks nothing of the server without email, password and agreements', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<SignInForm reason="idle" />, { user: null, path: '/login' });
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(screen.getByText('Please enter your email')).toBeVisible();
  await expect.element(screen.getByText('Please enter your password')).toBeVisible();
  await expect
    .element(screen.getByText('Please accept the Terms and Conditions and the User Agreement.'))
    .toBeVisible();
  await expect.element(screen.getByLabelText('Email')).toHaveFocus();
  await expectNoViolations();
});

it('a declined agreement stays unticked', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  await screen.getByRole('checkbox', { name: 'I accept the User Agreement' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'User Agreement' })).toBeVisible();
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Decline' }).click();
  await expect.element(screen.getByRole('checkbox', { name: 'I accept the User Agreement' })).not.toBeChecked();
});

it('a pasted code counts whatever stands around it, and the user goes where he wanted to go', async () => {
  const codes: (string | null)[] = [];
  serve(
    answerGet('/connect/userinfo', userInfo()),
    http.post('/connect/token', async ({ request }) => {
      codes.push(new URLSearchParams(await request.text()).get('otp'));
      return HttpResponse.json({ token_type: 'Bearer', expires_in: 900, stage: 'full' });
    }),
  );
  const state = {
    sent: { phone: '+1******4567', resendAt: serverNow() + 30_000 },
    returnTo: '/reservations/1?tab=guests',
  };
  const screen = await renderView(<CodeForm state={state} />, { user: null });
  await expect.element(screen.getByText(/We sent a 6-digit code to \+1 \(\*\*\*\) \*\*\*-4567/)).toBeVisible();
  const input = screen.getByLabelText('Confirmation code');
  await expect.element(input).toHaveAttribute('autocomplete', 'one-time-code');
  await input.fill('Your code: 123 456.');
  await expect.element(input).toHaveValue('123456');
  await expect.element(screen.getByRole('button', { name: /Send a new code in 0:/ })).toBeDisabled();
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(() => screen.router.state.location.href).toBe('/reservations/1?tab=guests');
  expect(codes).toEqual(['123456']);
});

it('a wrong code is told, and a sign-in that is over says where to begin again', async () => {
  serve(
    http.post(
      '/connect/token',
      () =>
        HttpResponse.json({ error: 'invalid_grant', error_description: 'Invalid confirmation code.' }, { status: 400 }),
      { once: true },
    ),
    http.post('/connect/token', () =>
      HttpResponse.json({ error: 'expired_token', error_description: 'Invalid confirmation code.' }, { status: 400 }),
    ),
  );
  const screen = await renderView(<CodeForm state={{}} />, { user: null });
  await screen.getByLabelText('Confirmation code').fill('000000');
  await screen.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Invalid confirmation code.');
  await screen.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Please sign in again to get a new code.');
  await expect.element(screen.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await expectNoViolations();
});

it('another code too soon waits as long as the server says, in words and counting', async () => {
  serve(http.post('/api/Users/phone/challenge', () => tooMany(2075)));
  const screen = await renderView(<CodeForm state={{}} />, { user: null });
  await screen.getByRole('button', { name: 'Send a new code' }).click();
  const alert = screen.getByRole('alert');
  await expect.element(alert).toHaveTextContent('Please wait 34 minutes and 35 seconds, then try again.');
  await expect.element(alert).toHaveTextContent('Please wait 34 minutes and 33 seconds, then try again.');
  await expect.element(screen.getByRole('button', { name: /Send a new code in 34:3/ })).toBeDisabled();
  await expectNoViolations();
});

it('when the wait is over it says so', async () => {
  const failure = { text: 'Please wait.', until: serverNow() + 1200 };
  const screen = await renderView(<FormError failure={failure} />, { user: null });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Please wait 2 seconds, then try again.');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('You can try again now.');
});

it.each([
  [true, 'A code for an earlier sign-in was just sent.'],
  [false, 'Too many codes were sent to your phone.'],
])('a sign-in that gets no code yet says why (just sent: %s)', async (wasJustSent, text) => {
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/connect/userinfo', firstStep),
    http.post('/connect/token', () =>
      HttpResponse.json({ token_type: 'Bearer', expires_in: 600, stage: 'first_step' }),
    ),
    http.post('/api/Users/phone/challenge', () => tooMany(2075, wasJustSent ? 'code-just-sent' : undefined)),
  );
  writePreference('agreements', '2025-01-29');
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  await screen.getByLabelText('Email').fill('intake@demo.example');
  await screen.getByLabelText('Password', { exact: true }).fill('Open-Door-2026');
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/two-factor-confirm');
  const { signIn } = screen.router.state.location.state;
  expect(signIn?.wasJustSent).toBe(wasJustSent);
  const next = await renderView(<CodeForm state={signIn ?? {}} />, { user: null });
  await expect.element(next.getByText(text)).toBeVisible();
});

it('a device that accepted the present agreements finds both boxes ticked, and they stay required', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  writePreference('agreements', '2025-01-29');
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  const terms = screen.getByRole('checkbox', { name: 'I accept the Terms and Conditions' });
  await expect.element(terms).toBeChecked();
  await expect.element(screen.getByRole('checkbox', { name: 'I accept the User Agreement' })).toBeChecked();
  await expectNoViolations();
  await terms.click();
  await expect.element(terms).not.toBeChecked();
  await screen.getByLabelText('Email').fill('intake@demo.example');
  await screen.getByLabelText('Password', { exact: true }).fill('Open-Door-2026');
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Please accept the Terms and Conditions and the User Agreement.');
});

it('a new version of the agreements is read and accepted anew', async () => {
  serve(answerGet('/api/public/settings', publicSettings({ agreementsVersion: '2027-01-01' })));
  writePreference('agreements', '2025-01-29');
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  await expect.poll(() => screen.queryClient.getQueryData(['public-settings'])).toBeDefined();
  await expect.element(screen.getByRole('checkbox', { name: 'I accept the User Agreement' })).not.toBeChecked();
});

it('a disabled user is told so in words', async () => {
  serve(
    answerGet('/api/public/settings', publicSettings()),
    http.post('/connect/token', () =>
      HttpResponse.json({ error: 'access_disabled', error_description: 'Your access is disabled.' }, { status: 400 }),
    ),
  );
  writePreference('agreements', '2025-01-29');
  const screen = await renderView(<SignInForm />, { user: null, path: '/login' });
  await screen.getByLabelText('Email').fill('intake@demo.example');
  await screen.getByLabelText('Password', { exact: true }).fill('Open-Door-2026');
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Your access is disabled. Please contact the person in charge of your site.');
});

it('a phone is +1 and ten digits, however it is typed', async () => {
  const bodies: unknown[] = [];
  serve(
    http.post('/api/Users/phone/challenge', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(challenge);
    }),
  );
  const screen = await renderView(<PhoneForm />, { user: null });
  const input = screen.getByLabelText('Mobile phone');
  await input.fill('555 123');
  await screen.getByRole('button', { name: 'Send code' }).click();
  await expect.element(screen.getByText('Phone number is incorrect')).toBeVisible();
  await expectNoViolations();
  await input.fill('800 555 1234');
  await screen.getByRole('button', { name: 'Send code' }).click();
  await expect.element(screen.getByText('Codes cannot be sent to this number.')).toBeVisible();
  await input.fill('714 555 1234');
  await expect.element(input).toHaveValue('+1 (714) 555-1234');
  await screen.getByRole('button', { name: 'Send code' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/two-factor-confirm');
  expect(bodies).toEqual([{ phone: '+17145551234' }]);
});

it('a first password shows its rules, tells what the server refuses, and goes on', async () => {
  let hasPassword = false;
  serve(
    http.get('/connect/userinfo', () =>
      HttpResponse.json(userInfo({ stage: 'first_step', has_password: hasPassword, has_phone_number: false })),
    ),
    http.post(
      '/api/Users/password',
      () =>
        problem(422, 'Some fields are wrong.', {
          errors: [{ pointer: '/password', message: 'This password is too common and not allowed' }],
        }),
      { once: true },
    ),
    http.post('/api/Users/password', () => {
      hasPassword = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const screen = await renderView(<CreatePasswordForm />, { user: null });
  await expect.element(screen.getByRole('heading', { name: 'Create a new password' })).toBeVisible();
  await expect.element(screen.getByText('Please create a new password to access your account.')).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/logout');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('New password is a required field', { exact: true })).toBeVisible();
  await screen.getByRole('button', { name: 'Show Requirements' }).click();
  for (const rule of REQUIREMENTS) await expect.element(screen.getByText(`${rule}, not met yet`)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Hide Requirements' })).toBeVisible();
  await screen.getByLabelText('New password', { exact: true }).fill('My-Password-2026');
  await expect
    .element(screen.getByText('Password contains a common phrase or sequence', { exact: true }))
    .toBeVisible();
  await screen.getByLabelText('New password', { exact: true }).fill('Open-Door');
  await expect.element(screen.getByText('Password must have at least one uppercase letter, met')).toBeVisible();
  await expect.element(screen.getByText('Password must have at least one digit, not met yet')).toBeVisible();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('Confirm new password is a required field')).toBeVisible();
  await screen.getByLabelText('New password', { exact: true }).fill('Open-Door-2026');
  await screen.getByLabelText('Confirm new password').fill('Open-Door-2026');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('This password is too common and not allowed');
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/two-factor-setup');
});

it('a first password that took longer than its first step follows the invitation again', async () => {
  const forms: (string | null)[] = [];
  let isAlive = false;
  serve(
    answerGet('/connect/userinfo', userInfo({ stage: 'first_step', has_password: false })),
    http.post('/connect/token', async ({ request }) => {
      forms.push(new URLSearchParams(await request.text()).get('access_token'));
      isAlive = true;
      return HttpResponse.json({ token_type: 'Bearer', expires_in: 600, stage: 'first_step' });
    }),
    http.post('/api/Users/password', () =>
      isAlive ? new HttpResponse(null, { status: 204 }) : problem(401, 'Please sign in.'),
    ),
  );
  const link = await renderView(<LinkSignIn linkToken="berth_i_1" />, { user: null, path: '/login/callback' });
  await expect.poll(() => link.router.state.location.pathname).toBe('/create-password');
  await link.unmount();
  // Ten minutes later.
  isAlive = false;
  const screen = await renderView(<CreatePasswordForm />, { user: null });
  await screen.getByLabelText('New password', { exact: true }).fill('Open-Door-2026');
  await screen.getByLabelText('Confirm new password').fill('Open-Door-2026');
  serve(answerGet('/connect/userinfo', userInfo({ stage: 'first_step', has_phone_number: false })));
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/two-factor-setup');
  expect(forms).toEqual(['berth_i_1', 'berth_i_1']);
});

it('a first password without its link says which way leads back', async () => {
  serve(http.post('/api/Users/password', () => problem(401, 'Please sign in.')));
  const screen = await renderView(<CreatePasswordForm />, { user: null });
  await screen.getByLabelText('New password', { exact: true }).fill('Open-Door-2026');
  await screen.getByLabelText('Confirm new password').fill('Open-Door-2026');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Open the link in your invitation again; it still works.');
});

it('whoever lost the way to a first password is told to open the invitation again', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<SignInForm reason="invitation" />, { user: null, path: '/login' });
  await expect.element(screen.getByText(/Open the link in your invitation again to choose a password/)).toBeVisible();
});

it('counts a double click once, also when the refusal comes between its halves', async () => {
  const codes: (string | null)[] = [];
  serve(
    http.post('/connect/token', async ({ request }) => {
      codes.push(new URLSearchParams(await request.text()).get('otp'));
      return HttpResponse.json(
        { error: 'invalid_grant', error_description: 'Invalid confirmation code.', code: 'wrong-code' },
        { status: 400 },
      );
    }),
  );
  const screen = await renderView(<CodeForm state={{}} />, { user: null });
  await screen.getByLabelText('Confirmation code').fill('123456');
  const button = screen.getByRole('button', { name: 'Confirm' }).element() as HTMLButtonElement;
  const press = (detail: number) =>
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
  press(1);
  await expect.element(screen.getByText('Invalid confirmation code.')).toBeVisible();
  await expect.element(button).not.toHaveAttribute('data-loading');
  press(2);
  await screen.getByLabelText('Confirmation code').fill('123457');
  press(1);
  await expect.poll(() => codes).toEqual(['123456', '123457']);
});
