import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { expectNoViolations } from '@/testing/axe';
import { userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { heldInvitation } from '@/lib/link-token';
import type { InvitationInfo } from './api/invitation';
import { LinkSignIn } from './components/link-sign-in';
import { SignupCheckEmail } from './components/signup-check-email';
import { SignupExpired } from './components/signup-expired';
import { SignupInvitation } from './components/signup-invitation';

const invitation: InvitationInfo = {
  organizationName: 'Harbor Light',
  siteName: 'Harbor House',
  role: 'Intake',
  email: 'i***@demo.example',
  state: 'open',
};
const answerLookUp = (found: InvitationInfo) => http.post('/api/public/invitation', () => HttpResponse.json(found));
const refuse = (error: string) =>
  http.post('/connect/token', () => HttpResponse.json({ error, error_description: 'Not any more.' }, { status: 400 }));

it('an invitation shows what it is for, and is used only when it is accepted', async () => {
  const posted: (string | null)[] = [];
  serve(
    answerGet('/connect/userinfo', userInfo({ stage: 'first_step', has_password: false })),
    http.post('/connect/token', async ({ request }) => {
      posted.push(new URLSearchParams(await request.text()).get('access_token'));
      return HttpResponse.json({ token_type: 'Bearer', expires_in: 600, stage: 'first_step' });
    }),
  );
  const screen = await renderView(<SignupInvitation linkToken="berth_i_1" invitation={invitation} />, { user: null });
  await expect.element(screen.getByText('Harbor Light')).toBeVisible();
  await expect.element(screen.getByText('Harbor House')).toBeVisible();
  await expect.element(screen.getByText('Intake')).toBeVisible();
  await expect.element(screen.getByText('i***@demo.example')).toBeVisible();
  await expectNoViolations();
  expect(posted).toEqual([]);
  await screen.getByRole('button', { name: 'Accept invitation' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/create-password');
  expect(posted).toEqual(['berth_i_1']);
});

it('an owner is invited to all sites, a global admin to the platform', async () => {
  const owner = { ...invitation, siteName: null, role: 'Owner' as const };
  const screen = await renderView(<SignupInvitation linkToken="berth_i_1" invitation={owner} />, { user: null });
  await expect.element(screen.getByText('All sites')).toBeVisible();
  await screen.unmount();
  const global = { ...owner, organizationName: null, role: 'GlobalAdmin' as const };
  const other = await renderView(<SignupInvitation linkToken="berth_i_1" invitation={global} />, { user: null });
  await expect.element(other.getByText('The whole platform')).toBeVisible();
});

it('a used invitation leads to the sign-in, a broken one says what to do', async () => {
  const used = { ...invitation, state: 'used' as const };
  const screen = await renderView(<SignupInvitation linkToken="berth_i_1" invitation={used} />, { user: null });
  await expect.element(screen.getByRole('heading', { name: 'This invitation was already used' })).toBeVisible();
  await expectNoViolations();
  await screen.getByRole('link', { name: 'Go to sign in' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/login');
  await screen.unmount();
  const broken = await renderView(<SignupInvitation />, { user: null });
  await expect
    .element(broken.getByRole('alert'))
    .toHaveTextContent('This link is incomplete. Open the link in your invitation again.');
});

it('a link that is only too old leads to the screen for a new one, which takes its token along', async () => {
  serve(refuse('expired_token'), answerLookUp({ ...invitation, state: 'expired' }));
  const screen = await renderView(<LinkSignIn linkToken="berth_i_1" />, { user: null, path: '/login/callback' });
  await expect.poll(() => screen.router.state.location.pathname).toBe('/signup-expired');
  expect(heldInvitation('/signup-expired')).toBe('berth_i_1');
});

it('a link that was used says so, and one of a person who has an account leads to the sign-in', async () => {
  serve(refuse('expired_token'), answerLookUp({ ...invitation, state: 'used' }));
  const screen = await renderView(<LinkSignIn linkToken="berth_i_1" />, { user: null, path: '/login/callback' });
  await expect.element(screen.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await screen.unmount();
  serve(refuse('login_required'));
  const known = await renderView(<LinkSignIn linkToken="berth_i_2" />, { user: null, path: '/login/callback' });
  await expect.element(known.getByRole('heading', { name: 'You already have an account' })).toBeVisible();
  await expectNoViolations();
});

it('a new link is asked for by the old one', async () => {
  const bodies: unknown[] = [];
  serve(
    http.post('/api/public/invitation/renewal', async ({ request }) => {
      bodies.push(await request.json());
      return bodies.length === 1 ? problem(429, 'Please wait.') : new HttpResponse(null, { status: 202 });
    }),
  );
  const screen = await renderView(<SignupExpired linkToken="berth_i_1" />, { user: null, path: '/signup-expired' });
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Send me a new link' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Please wait.');
  await screen.getByRole('button', { name: 'Send me a new link' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/signup-check-email');
  expect(bodies).toEqual([{ token: 'berth_i_1' }, { token: 'berth_i_1' }]);
});

it('without the old link there is nothing to ask for; and where the new one goes is told', async () => {
  const screen = await renderView(<SignupExpired />, { user: null });
  await expect.element(screen.getByText(/ask the person who invited you for a new one/)).toBeVisible();
  await expect.element(screen.getByRole('button')).not.toBeInTheDocument();
  await screen.unmount();
  const sent = await renderView(<SignupCheckEmail />, { user: null });
  await expect.element(sent.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expectNoViolations();
});
