import { http } from 'msw';
import { expect, it, vi } from 'vitest';
import { currentUserQuery } from '@/access/current-user';
import { currentUser, publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { OpenLayout } from './open-layout';
import { PublicLayout } from './public-layout';
import { SignedInLayout } from './signed-in-layout';

/** A live stream that says nothing until the server refuses it. */
class QuietStream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: QuietStream[] = [];
  readyState = 0;

  constructor() {
    super();
    QuietStream.opened.push(this);
  }

  close() {
    this.readyState = QuietStream.CLOSED;
  }

  refuse() {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}
vi.stubGlobal('EventSource', QuietStream);

/** The frame of the signed-in screens, as an owner sees it. */
function open(name: { first_name?: string; last_name?: string } = {}) {
  serve(answerGet('/api/public/settings', publicSettings()));
  return renderView(<SignedInLayout />, { user: currentUser({ role_owner_organization_ids: 'o1', ...name }) });
}

it.each([
  ['without a name', { first_name: '', last_name: '' }],
  ['without a first name', { first_name: '' }],
  ['without a last name', { last_name: '' }],
])('asks an owner %s for it', async (_who, name) => {
  const screen = await open(name);
  await expect.element(screen.getByRole('dialog', { name: 'What is your name?' })).toBeVisible();
});

it.each([
  ['whoever is signed in keeps the frame', currentUser(), 1],
  ['who has yet to enter a code has the public frame', currentUser({ stage: 'first_step' }), 0],
  ['a stranger has the public frame', null, 0],
])('on the pages for everyone %s', async (_who, user, links) => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<OpenLayout />, { user });
  await expect.element(screen.getByRole('banner')).toBeVisible();
  await expect.poll(() => screen.getByRole('navigation', { name: 'Main' }).elements()).toHaveLength(links);
});

it.each([
  [
    'who has yet to enter a code may sign out, and has no profile yet',
    currentUser({ stage: 'first_step' }),
    ['Logout'],
  ],
  ['whoever is signed in has both', currentUser(), ['Profile', 'Logout']],
])('on the pages before the sign-in %s', async (_who, user, links) => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<PublicLayout />, { user });
  const tools = () =>
    screen
      .getByRole('banner')
      .getByRole('link')
      .elements()
      .map((link) => link.getAttribute('aria-label') ?? link.textContent)
      .filter((name) => name === 'Profile' || name === 'Logout');
  await expect.poll(tools).toEqual(links);
});

it('leaves nothing of a session that is over when the server refuses the live stream', async () => {
  const screen = await open();
  const { queryClient } = screen;
  const profile = screen.getByRole('link', { name: 'Profile' });
  await expect.element(profile).toBeVisible();
  queryClient.setQueryData(['sites', 's1', 'details'], { name: 'Harbor House' });
  serve(http.get('/connect/userinfo', () => problem(401, 'Please sign in.')));
  QuietStream.opened.at(-1)?.refuse();
  await expect.element(profile).not.toBeInTheDocument();
  expect(queryClient.getQueryData(currentUserQuery.queryKey)).toBeNull();
  expect(queryClient.getQueryData(['sites', 's1', 'details'])).toBeUndefined();
});
