import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { userInfo } from '@/testing/builders';
import { setDocumentTitle, setWaitingInTitle } from '@/lib/document-title';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';
import { ErrorRedirect } from './components/error-redirect';
import { LinkSignIn } from './components/link-sign-in';

function serveInvitation() {
  const posted: (string | null)[] = [];
  serve(
    answerGet('/connect/userinfo', userInfo({ stage: 'first_step', has_password: false })),
    http.post('/connect/token', async ({ request }) => {
      posted.push(new URLSearchParams(await request.text()).get('access_token'));
      return HttpResponse.json({ token_type: 'Bearer', expires_in: 600, stage: 'first_step' });
    }),
  );
  return posted;
}

it('a link is posted once and leads to the first password', async () => {
  const posted = serveInvitation();
  const screen = await renderView(<LinkSignIn linkToken="berth_i_1" />, { user: null, path: '/login/callback' });
  await expect.poll(() => screen.router.state.location.pathname).toBe('/create-password');
  expect(posted).toEqual(['berth_i_1']);
});

it('who is signed in already is asked first', async () => {
  const posted = serveInvitation();
  const screen = await renderView(<LinkSignIn linkToken="berth_i_1" presentEmail="ines@demo.example" />, {
    path: '/login/callback',
  });
  await expect.element(screen.getByRole('heading', { name: 'You are signed in as ines@demo.example' })).toBeVisible();
  expect(posted).toEqual([]);
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Use the link' }).click();
  await expect.poll(() => posted).toEqual(['berth_i_1']);
});

it('an address without a link, and a link that is used up, say what to do', async () => {
  const screen = await renderView(<LinkSignIn />, { user: null });
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('This link is incomplete. Open the link in your email again.');
  await expectNoViolations();
});

it('the error screen counts down and leads to the sign-in page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const screen = await renderView(<ErrorRedirect message="The session has ended." source="Mail" />, {
    user: null,
    path: '/error',
  });
  await expect.element(screen.getByText('Returning to the sign-in page in 5 seconds.')).toBeVisible();
  await vi.advanceTimersByTimeAsync(1000);
  await expect.element(screen.getByText('Returning to the sign-in page in 4 seconds.')).toBeVisible();
  for (let second = 0; second < 5; second += 1) await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/login');
});

it('any key stops the countdown of the error screen', async () => {
  const screen = await renderView(<ErrorRedirect message="The session has ended." />, { user: null, path: '/error' });
  await userEvent.keyboard('{Shift}');
  await expect.element(screen.getByText('You will stay on this page.')).toBeVisible();
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Go now' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/login');
});

it('the title of a screen before the sign-in replaces that of the user before, whatever is counted then', async () => {
  setDocumentTitle('Harbor House · Berth');
  await renderView(<LinkSignIn />, { user: null });
  setWaitingInTitle(2);
  expect(document.title).not.toContain('Harbor House');
  setWaitingInTitle(0);
  setDocumentTitle('Harbor House · Berth');
  await renderView(<ErrorRedirect message="The session has ended." />, { user: null, path: '/error' });
  setWaitingInTitle(2);
  expect(document.title).not.toContain('Harbor House');
  setWaitingInTitle(0);
});
