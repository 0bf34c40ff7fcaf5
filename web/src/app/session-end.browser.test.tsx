import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { http, HttpResponse } from 'msw';
import { currentUserQuery } from '@/access/current-user';
import { checkUser, endSession, finishSignOut, followOtherTabs, replaceSession } from '@/access/end-session';
import { forgetPendingSignOut, pendingSignOut, rememberSignOut } from '@/access/sign-out';
import { toast } from '@/components/toast';
import { readDraft, writeDraft } from '@/lib/drafts';
import { followedInvitation, followInvitation } from '@/lib/link-token';
import { onSessionEnd, type SessionEnd } from '@/lib/session-end';
import { currentUser, publicSettings, userInfo } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { answerGet, problem, serve } from '@/testing/server';
import { Providers } from './providers';
import { createQueryClient } from './query-client';
import { createAppRouter } from './router';
import { leaveOnSessionEnd } from './signed-out';

const DRAFT = { userId: currentUser().id, form: 'new-site', subjectId: 'o1' } as const;

/** A live stream that never says anything. */
class QuietStream extends EventTarget {
  static readonly CLOSED = 2;
  close() {}
}
vi.stubGlobal('EventSource', QuietStream);

/** What another tab of this browser says and hears. */
const otherTab = new BroadcastChannel('berth.session');
let heard: unknown[] = [];
otherTab.addEventListener('message', (event) => heard.push(event.data));
let stops: (() => void)[] = [];

beforeEach(() => {
  heard = [];
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/api/Organizations', [organization('o1', { name: 'Harbor Recovery', logoPath: '/favicon.svg' })]),
  );
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  sessionStorage.clear();
});

/** The whole app at the list of organizations, as an owner sees it. */
async function openApp() {
  const queryClient: QueryClient = createQueryClient((refused) => endSession(queryClient, 'refused', refused));
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: Infinity } });
  queryClient.setQueryData(currentUserQuery.queryKey, currentUser({ role_owner_organization_ids: 'o1' }));
  const router = createAppRouter(queryClient);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: ['/organizations'] }) });
  stops.push(
    leaveOnSessionEnd(router),
    followOtherTabs(queryClient, () => void router.invalidate()),
  );
  await router.load();
  const screen = await render(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  );
  await expect.element(screen.getByText('Harbor Recovery')).toBeVisible();
  return { queryClient, router, screen };
}

it.each<SessionEnd>(['sign-out', 'idle', 'refused', 'elsewhere'])(
  'the end of a session (%s) forgets what was loaded and empties the screen at once',
  async (reason) => {
    const { queryClient, screen } = await openApp();
    queryClient.setQueryData(['sites', 's1', 'details'], { name: 'Harbor House' });
    toast.success('Ana M. is now in Detox.');
    await expect.element(screen.getByText('Ana M. is now in Detox.')).toBeVisible();
    endSession(queryClient, reason);
    expect(queryClient.getQueryData(['sites', 's1', 'details'])).toBeUndefined();
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey[0])
        .sort(),
    ).toEqual(['current-user', 'public-settings']);
    await expect.element(screen.getByText('Harbor Recovery')).not.toBeInTheDocument();
    await expect.element(screen.getByText('Ana M. is now in Detox.')).not.toBeInTheDocument();
  },
);

const UNCONFIRMED = 'You were signed out before a change was confirmed. After you sign in, check whether it was saved.';
const UNSAVED = 'You were signed out before a form was saved. Please fill it in again.';

describe('what was typed and not saved', () => {
  async function typeName({ screen }: Awaited<ReturnType<typeof openApp>>) {
    serve(http.post('/connect/logout', () => new HttpResponse(null, { status: 204 })));
    await screen.getByRole('button', { name: 'Actions for Harbor Recovery' }).click();
    await screen.getByRole('menuitem', { name: 'Edit' }).click();
    await screen.getByRole('textbox', { name: 'Organization name' }).fill('Harbor');
  }

  it.each(['idle', 'refused', 'elsewhere'] as const)('is named on the sign-in page (%s)', async (reason) => {
    const app = await openApp();
    await typeName(app);
    if (reason === 'idle') await app.router.navigate({ to: '/logout', search: { reason } });
    else endSession(app.queryClient, reason);
    await expect.element(app.screen.getByText(UNSAVED)).toBeVisible();
    expect(document.body.textContent).not.toContain('Harbor Recovery');
  });

  const save = (app: Awaited<ReturnType<typeof openApp>>) => app.screen.getByRole('button', { name: 'Save' }).click();
  const refuse = () => problem(401, 'Please sign in.');

  it('is named if the server refuses it because the session has ended', async () => {
    const app = await openApp();
    await typeName(app);
    serve(http.put('/api/Organizations/:id', refuse));
    await save(app);
    await expect.element(app.screen.getByText(UNSAVED)).toBeVisible();
    await expect.element(app.screen.getByText(UNCONFIRMED)).not.toBeInTheDocument();
  });

  it.each(['refused', 'elsewhere'] as const)('may have been saved if it is on its way (%s)', async (reason) => {
    const app = await openApp();
    await typeName(app);
    const put = vi.fn(() => new Promise<Response>(() => undefined));
    serve(http.put('/api/Organizations/:id', put));
    await save(app);
    await vi.waitFor(() => expect(put).toHaveBeenCalled());
    endSession(app.queryClient, reason);
    await expect.element(app.screen.getByText(UNCONFIRMED)).toBeVisible();
    await expect.element(app.screen.getByText(UNSAVED)).not.toBeInTheDocument();
  });

  it('may have been saved if the answer to an earlier try was lost', async () => {
    const app = await openApp();
    await typeName(app);
    serve(http.put('/api/Organizations/:id', () => HttpResponse.error()));
    await save(app);
    await expect.element(app.screen.getByText(/may or may not be saved/)).toBeVisible();
    serve(http.put('/api/Organizations/:id', refuse));
    await save(app);
    await expect.element(app.screen.getByText(UNCONFIRMED)).toBeVisible();
    await expect.element(app.screen.getByText(UNSAVED)).not.toBeInTheDocument();
  });

  it('is not named if nothing was typed, or once somebody has signed in again', async () => {
    const app = await openApp();
    await typeName(app);
    endSession(app.queryClient, 'refused');
    await expect.element(app.screen.getByText(UNSAVED)).toBeVisible();
    app.queryClient.setQueryData(currentUserQuery.queryKey, currentUser({ role_owner_organization_ids: 'o1' }));
    await app.router.navigate({ href: '/organizations' });
    await expect.element(app.screen.getByText('Harbor Recovery')).toBeVisible();
    endSession(app.queryClient, 'refused');
    await expect.element(app.screen.getByText('Please sign in to continue.')).toBeVisible();
    await expect.element(app.screen.getByText(UNSAVED)).not.toBeInTheDocument();
  });
});

it('who signs out in one tab is signed out in the others: names, drafts and the address go', async () => {
  const { queryClient, router, screen } = await openApp();
  writeDraft(DRAFT, { name: 'Sea View' });
  otherTab.postMessage('signed-out');
  await expect.element(screen.getByText('Harbor Recovery')).not.toBeInTheDocument();
  await expect.poll(() => router.state.location.href).toBe('/login');
  expect(queryClient.getQueryData(currentUserQuery.queryKey)).toBeNull();
  expect(readDraft(DRAFT)).toBeUndefined();
  expect(heard).toEqual([]);
});

it('a sign-out is told to the other tabs and takes the drafts; after a 401 the draft waits for its user', async () => {
  const { queryClient, router } = await openApp();
  writeDraft(DRAFT, { name: 'Sea View' });
  endSession(queryClient, 'refused');
  await expect.poll(() => router.state.location.href).toBe('/login?returnTo=%2Forganizations');
  expect(readDraft(DRAFT)).toEqual({ name: 'Sea View' });
  endSession(queryClient, 'sign-out');
  expect(readDraft(DRAFT)).toBeUndefined();
  await expect.poll(() => heard).toEqual(['ended', 'signed-out']);
});

it('several refused calls end a session once', async () => {
  const { queryClient } = await openApp();
  const ends: SessionEnd[] = [];
  stops.push(onSessionEnd((reason) => ends.push(reason)));
  for (let call = 0; call < 3; call += 1) endSession(queryClient, 'refused');
  expect(ends).toEqual(['refused']);
});

it('who signs in in one tab is let in by a tab that waits on the sign-in page', async () => {
  const { queryClient, router, screen } = await openApp();
  endSession(queryClient, 'refused');
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  serve(answerGet('/connect/userinfo', userInfo({ role_owner_organization_ids: 'o1' })));
  otherTab.postMessage('began');
  await expect.element(screen.getByText('Harbor Recovery')).toBeVisible();
  expect(router.state.location.pathname).toBe('/organizations');
});

it('a refused stream asks who is signed in: nobody ends the session, somebody else sees nothing of the one before', async () => {
  const { queryClient, screen } = await openApp();
  queryClient.setQueryData(['sites', 's1', 'details'], { name: 'Harbor House' });
  serve(answerGet('/connect/userinfo', userInfo({ sub: '0190a000-0000-7000-8000-000000000002' })));
  await checkUser(queryClient);
  expect(queryClient.getQueryData(['sites', 's1', 'details'])).toBeUndefined();
  serve(http.get('/connect/userinfo', () => problem(401, 'Please sign in.')));
  await checkUser(queryClient);
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

it('a sign-out without a network goes through by itself when the connection is back', async () => {
  const { router, screen } = await openApp();
  serve(http.post('/connect/logout', () => HttpResponse.error()));
  await router.navigate({ to: '/logout' });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('You are still signed in');
  serve(http.post('/connect/logout', () => new HttpResponse(null, { status: 204 })));
  window.dispatchEvent(new Event('online'));
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

it('a session whose user signed out without a network is not opened again in this browser', async () => {
  const { queryClient, router, screen } = await openApp();
  serve(http.post('/connect/logout', () => HttpResponse.error()));
  await router.navigate({ to: '/logout' });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('You are still signed in');
  // The next person loads the page: the cookie of the session is still there.
  const calls: string[] = [];
  serve(
    http.get('/connect/userinfo', () => {
      calls.push('userinfo');
      return calls[0] === 'logout' ? problem(401, 'Please sign in.') : HttpResponse.json(userInfo());
    }),
    http.post('/connect/logout', () => {
      calls.push('logout');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  expect(await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 })).toBeNull();
  expect(await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 })).toBeNull();
  expect(calls).toEqual(['logout', 'userinfo', 'userinfo']);
});

it('a sign-out whose screen had not come takes the drafts; after the idle limit they wait for their user', async () => {
  const { queryClient } = await openApp();
  serve(http.post('/connect/logout', () => new HttpResponse(null, { status: 204 })));
  for (const [reason, kept] of [
    ['idle', { name: 'Sea View' }],
    ['sign-out', undefined],
  ] as const) {
    writeDraft(DRAFT, { name: 'Sea View' });
    rememberSignOut(reason);
    finishSignOut(queryClient);
    await expect.poll(pendingSignOut).toBeUndefined();
    expect(readDraft(DRAFT)).toEqual(kept);
  }
});

it('a sign-in ends the wait for an old sign-out: the new session is not ended', async () => {
  const { queryClient, router, screen } = await openApp();
  serve(http.post('/connect/logout', () => HttpResponse.error()));
  await router.navigate({ to: '/logout' });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('You are still signed in');
  replaceSession(queryClient);
  serve(answerGet('/connect/userinfo', userInfo()));
  expect(await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 })).not.toBeNull();
});

it('a tab that waits to sign out ends no session of somebody who signed in meanwhile, and leaves', async () => {
  const { queryClient, router, screen } = await openApp();
  serve(http.post('/connect/logout', () => HttpResponse.error()));
  await router.navigate({ to: '/logout' });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('You are still signed in');
  let signOuts = 0;
  serve(
    http.post('/connect/logout', () => {
      signOuts += 1;
      return new HttpResponse(null, { status: 204 });
    }),
    answerGet('/connect/userinfo', userInfo({ sub: '0190a000-0000-7000-8000-000000000002' })),
  );
  replaceSession(queryClient);
  await checkUser(queryClient);
  // As after the other tab's message that a sign-in is complete.
  await router.invalidate();
  expect(pendingSignOut()).toBeUndefined();
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByText('You are still signed in')).not.toBeInTheDocument();
  expect(signOuts).toBe(0);
});

it('a tab whose sign-out fails after another one succeeded does not say that the user is still signed in', async () => {
  const { queryClient, router, screen } = await openApp();
  serve(
    http.post('/connect/logout', () => {
      replaceSession(queryClient);
      return HttpResponse.error();
    }),
  );
  await router.navigate({ to: '/logout' });
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

it('a sign-out on its way is given up when somebody signs in in another tab, whose cookie its answer would delete', async () => {
  const { router, screen } = await openApp();
  const asked: Request[] = [];
  serve(
    http.post('/connect/logout', ({ request }) => {
      asked.push(request);
      return new Promise<never>(() => undefined);
    }),
  );
  await router.navigate({ to: '/logout' });
  await expect.poll(() => asked.length).toBe(1);
  // Another tab has changed some other preference.
  window.dispatchEvent(new StorageEvent('storage'));
  expect(asked[0]?.signal.aborted).toBe(false);
  forgetPendingSignOut();
  window.dispatchEvent(new StorageEvent('storage'));
  expect(asked[0]?.signal.aborted).toBe(true);
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

it('a tab that is opened while another signs out shows the sign-in once that has succeeded', async () => {
  rememberSignOut('sign-out');
  let asked = 0;
  serve(
    http.post('/connect/logout', () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    }),
    http.get('/connect/userinfo', () => HttpResponse.json(null)),
  );
  const found = new QueryClient().fetchQuery(currentUserQuery);
  await expect.poll(() => asked).toBe(1);
  forgetPendingSignOut();
  window.dispatchEvent(new StorageEvent('storage'));
  await expect(found).resolves.toBeNull();
});

it('a sign-out asks again by itself, for a server that was away', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { router, screen } = await openApp();
  serve(http.post('/connect/logout', () => HttpResponse.error()));
  await router.navigate({ to: '/logout' });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('You are still signed in');
  serve(http.post('/connect/logout', () => new HttpResponse(null, { status: 204 })));
  vi.advanceTimersByTime(10_000);
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

it('a sign-out that did not reach the server says so and can be repeated', async () => {
  const { router, screen } = await openApp();
  serve(http.post('/connect/logout', () => HttpResponse.error()));
  await router.navigate({ to: '/logout' });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('You are still signed in');
  serve(http.post('/connect/logout', () => new HttpResponse(null, { status: 204 })));
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

describe('an invitation that is being followed', () => {
  it.each<SessionEnd>(['sign-out', 'idle', 'refused', 'elsewhere'])('is left with the session (%s)', async (reason) => {
    const { queryClient } = await openApp();
    followInvitation('berth_i_1');
    endSession(queryClient, reason);
    expect(followedInvitation()).toBeUndefined();
    await expect.poll(() => heard).toHaveLength(reason === 'elsewhere' ? 0 : 1);
  });

  it.each(['signed-out', 'ended', 'began'])(
    'is left when another tab says %s, also after its first step',
    async (message) => {
      const { queryClient } = await openApp();
      endSession(queryClient, 'refused');
      followInvitation('berth_i_1');
      otherTab.postMessage(message);
      await expect.poll(followedInvitation).toBeUndefined();
      await expect.poll(() => heard).toEqual(['ended']);
    },
  );

  it('is left when somebody else signs in over it', async () => {
    const { queryClient } = await openApp();
    followInvitation('berth_i_1');
    replaceSession(queryClient);
    expect(followedInvitation()).toBeUndefined();
    await expect.poll(() => heard).toEqual(['ended']);
  });
});
