import { QueryClient } from '@tanstack/react-query';
import { cleanNotifications, notificationsStore } from '@mantine/notifications';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentUserQuery } from '@/access/current-user';
import { noteFirstStep } from '@/access/first-step';
import { forgetPendingSignOut, pendingSignOut } from '@/access/sign-out';
import type { CurrentUser } from '@/access/user';
import { client, unwrap } from '@/api/client';
import { UnauthorizedError } from '@/api/errors';
import { followLinks } from '@/lib/link-token';
import { noteUserShown, tellUserForgotten } from '@/lib/session-end';
import { guest, siteDetails } from '@/testing/bed-builders';
import { currentUser, publicSettings, userInfo } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { answerGet, onePage, problem, serve } from '@/testing/server';
import { answerChoices } from '@/testing/site-world';
import { http, HttpResponse } from 'msw';
import { createQueryClient } from './query-client';
import { createAppRouter } from './router';
import { endSession, replaceSession } from '@/access/end-session';
import { leaveOnSessionEnd } from './signed-out';

const nobody = null;
const global = currentUser({ role_global: true });
const owner = currentUser({ role_owner_organization_ids: 'o1' });
const payer = currentUser({ role_owner_organization_ids: 'free,o1', owns_commercial: true });
const admin = currentUser({ role_admin_site_ids: 's1' });
const intake = currentUser({ role_intake_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });
const withCode = currentUser({ stage: 'first_step' });
const withoutPhone = currentUser({ stage: 'first_step', has_phone_number: false });
const withoutPassword = currentUser({ stage: 'first_step', has_password: false });

beforeEach(() => {
  answerChoices();
  serve(
    answerGet('/api/public/settings', publicSettings()),
    answerGet('/api/InsuranceCompanies', []),
    answerGet('/api/Organizations', [organization('free'), organization('o1', { isCommercial: true })]),
    answerGet('/api/Subscriptions/savedPaymentMethods', []),
    answerGet('/api/Subscriptions/sites', []),
    answerGet('/api/Organizations/o1', organization('o1', { isCommercial: true })),
    answerGet('/api/Organizations/free', organization('free')),
    answerGet('/api/Sites', onePage([])),
    answerGet('/api/Sites/s1', siteDetails([])),
    answerGet('/api/Guests', onePage([])),
    answerGet('/api/Guests/g1', guest('g1')),
    answerGet('/api/Today', { waiting: [], sites: [], moves: [], soon: [] }),
    answerGet('/api/Guests/g1/timeline', { guestId: 'g1', events: [] }),
    answerGet('/api/AccessUsers/siteScopeUsers', []),
  );
});

/** The real routes at an address, for someone; undefined for whom the server says. */
async function open(user: CurrentUser | null | undefined, path: string, queryClient = new QueryClient()) {
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: Infinity } });
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  // Who is given here has begun to sign in on this page.
  if (user) noteFirstStep();
  const router = createAppRouter(queryClient);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) });
  await router.load();
  return router;
}

describe('an address leads', () => {
  it.each<[string, CurrentUser | null, string, string]>([
    ['nobody from the start to the sign-in', nobody, '/', '/login'],
    ['nobody from a private screen to the sign-in', nobody, '/organizations', '/login'],
    ['nobody from the profile to the sign-in', nobody, '/user-settings', '/login'],
    ['nobody from the code to the sign-in', nobody, '/two-factor-confirm', '/login'],
    ['nobody from the first password to the sign-in', nobody, '/create-password', '/login'],
    ['nobody to the sign-in from an error without a message', nobody, '/error', '/login'],
    ['a global admin from the start to the free list', global, '/', '/free-rehabs'],
    ['others from the start to their organizations', staff, '/', '/organizations'],
    ['who is signed in home from the sign-in', owner, '/login', '/organizations'],
    ['who is signed in home from the lost password', global, '/restore-password', '/free-rehabs'],
    ['who is signed in home from the code', owner, '/two-factor-confirm', '/organizations'],
    ['half a sign-in to the code', withCode, '/', '/two-factor-confirm'],
    ['half a sign-in from a private screen to the code', withCode, '/organizations', '/two-factor-confirm'],
    ['half a sign-in without a phone to its phone', withoutPhone, '/two-factor-confirm', '/two-factor-setup'],
    ['half a sign-in without a password to its password', withoutPassword, '/two-factor-setup', '/create-password'],
    ['others than global admins to the same path below organizations', owner, '/paid-rehabs/o1', '/organizations/o1'],
    ['also to a site', intake, '/free-rehabs/o1/s1', '/organizations/o1/s1'],
    ['from an unknown type to the organizations', global, '/nonsense', '/organizations'],
    ['from the wrong organization of a site to the right one', global, '/paid-rehabs/x1/s1', '/paid-rehabs/o1/s1'],
    ['from the list of the other kind to the own one', global, '/free-rehabs/o1', '/paid-rehabs/o1'],
    ['also a free one from the paid list', global, '/paid-rehabs/free', '/free-rehabs/free'],
    ['also a site', global, '/free-rehabs/o1/s1', '/paid-rehabs/o1/s1'],
    ['also the insurers', global, '/free-rehabs/o1/insurances', '/paid-rehabs/o1/insurances'],
    ['from the short address of a site to its page', global, '/sites/s1', '/paid-rehabs/o1/s1'],
    ['from the short address below the own list', staff, '/sites/s1', '/organizations/o1/s1'],
    ['others than global admins home from the dashboard', owner, '/dashboard', '/organizations'],
    ['others than global admins home from the insurers of the platform', owner, '/insurances', '/organizations'],
    ['and from that of one kind', admin, '/dashboard/free-rehabs', '/organizations'],
    ['others than global admins home from the audit log', admin, '/logs', '/organizations'],
    ['from a dashboard of no kind to the whole', global, '/dashboard/nonsense', '/dashboard'],
    ['intake from the edit page to the sites', intake, '/sites/s1/edit', '/sites'],
    ['staff from the edit page to the sites', staff, '/sites/s1/edit', '/sites'],
    ['admins of a site home from the wizard', admin, '/sites/new/o1', '/organizations'],
    ['others than its owners home from the cards of an organization', admin, '/cards/o1', '/organizations'],
    ['owners of others home from them', owner, '/cards/x1', '/organizations'],
    ['from the cards of nobody to those of the first commercial organization', payer, '/cards', '/cards/o1'],
    ['who has none home from the cards of nobody', owner, '/cards', '/organizations'],
    ['admins of a site home from the bills of an organization', admin, '/payment-details/o1', '/organizations'],
    ['owners of others home from its bills', owner, '/payment-details/x1', '/organizations'],
    ['owners from billing to their first commercial organization', payer, '/payment-details', '/payment-details/o1'],
    ['owners without a commercial organization home from billing', owner, '/payment-details', '/organizations'],
    ['intake home from the users of a site', intake, '/user-management/s1', '/organizations'],
    [
      'from the insurers of a non-commercial organization to the list',
      global,
      '/free-rehabs/free/insurances',
      '/free-rehabs',
    ],
  ])('%s', async (_name, user, from, to) => {
    const router = await open(user, from);
    await expect.poll(() => router.state.location.pathname).toBe(to);
  });

  it.each([
    ['says that an unknown address leads elsewhere', '/nonsense/x', 1],
    ['says nothing of another list of the same organization', '/paid-rehabs/o1', 0],
  ])('%s', async (_name, from, messages) => {
    cleanNotifications();
    noteUserShown();
    await open(owner, from);
    const shown = () => notificationsStore.getState().notifications.filter(({ color }) => color === 'red').length;
    await expect.poll(shown).toBe(messages);
  });

  it.each<[string, CurrentUser | null]>([
    ...[
      '/login',
      '/logout',
      '/login/callback',
      '/restore-password',
      '/reset-password',
      '/signup',
      '/signup-check-email',
      '/signup-expired',
      '/error?message=Too%20late.&source=Mail',
      '/contact-us',
      '/privacy-policy',
      '/terms-and-conditions',
      '/user-agreement',
      '/faq',
    ].map((path): [string, null] => [path, nobody]),
    ['/create-password', withoutPassword],
    ['/two-factor-setup', withoutPhone],
    ['/two-factor-confirm?phone=%2B1555', withCode],
    ['/free-rehabs', global],
    ['/paid-rehabs', global],
    ['/paid-rehabs/o1', global],
    ['/paid-rehabs/o1/s1', global],
    ['/paid-rehabs/o1/insurances', global],
    ['/dashboard', global],
    ['/insurances', global],
    ['/dashboard/paid-rehabs', global],
    ['/logs', global],
    ['/organizations/o1/insurances', owner],
    ['/cards/o1', owner],
    ['/cards/o1', global],
    ['/cards/free', payer],
    ['/payment-details/o1', owner],
    ['/payment-details/o1', global],
    ['/payment-details/free', payer],
    ['/sites/new/o1', owner],
    ['/sites/s1/edit', admin],
    ['/user-management', admin],
    ['/user-management/s1', admin],
    ['/sites', intake],
    ['/reservations', staff],
    ['/reservations/s1', staff],
    ['/reservations-request/g1', intake],
    ['/reservations/guest/s1/g1', staff],
    ['/history', staff],
    ['/history/s1', staff],
    ['/today', staff],
    ['/today', global],
    ['/organizations', staff],
    ['/organizations/o1/s1', staff],
    ['/user-settings', staff],
  ])('%s to its screen', async (path, user) => {
    const router = await open(user, path);
    expect(router.state.location.href.split('?')[0]).toBe(path.split('?')[0]);
    expect(router.state.matches.every(({ status }) => status === 'success')).toBe(true);
    expect(router.state.matches.length).toBeGreaterThan(1);
  });
});

it.each([
  ['others than global admins', staff],
  ['global admins', global],
])('the start leads %s to Today once it is chosen', async (_who, user) => {
  const router = await open({ ...user, views: { 'setting.start-today': 'on' } }, '/');
  await expect.poll(() => router.state.location.pathname).toBe('/today');
});

it('a 401 of any call forgets who was signed in and leads to the sign-in, which knows the way back', async () => {
  serve(http.get('/api/Languages', () => problem(401, 'Please sign in.')));
  const queryClient: QueryClient = createQueryClient(() => endSession(queryClient, 'refused'));
  const router = await open(owner, '/organizations/o1', queryClient);
  const stop = leaveOnSessionEnd(router);
  queryClient.setQueryData(['something'], 'of the user');
  const call = queryClient.fetchQuery({
    queryKey: ['languages', 'refused'],
    queryFn: () => unwrap(client.GET('/api/Languages')),
  });
  await expect(call).rejects.toThrow(UnauthorizedError);
  await expect.poll(() => router.state.location.href).toBe('/login?returnTo=%2Forganizations%2Fo1');
  expect(queryClient.getQueryData(['something'])).toBeUndefined();
  expect(queryClient.getQueryData(currentUserQuery.queryKey)).toBeNull();
  stop();
});

describe('a first step that another page began', () => {
  let signOuts = 0;
  beforeEach(tellUserForgotten);
  /** Opens an address while the server knows a first step that this page did not begin. */
  async function find(left: Parameters<typeof userInfo>[0], path: string, queryClient = new QueryClient()) {
    signOuts = 0;
    let isOver = false;
    serve(
      http.get('/connect/userinfo', () =>
        isOver
          ? new HttpResponse(null, { status: 204 })
          : HttpResponse.json(userInfo({ stage: 'first_step', ...left })),
      ),
      http.post('/connect/logout', () => {
        signOuts++;
        isOver = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    return open(undefined, path, queryClient);
  }
  afterEach(() => {
    tellUserForgotten();
    forgetPendingSignOut();
  });

  it.each(['/', '/create-password', '/two-factor-setup', '/two-factor-confirm', '/organizations'])(
    'ends where it would go on, if a password or phone is to be chosen: %s',
    async (path) => {
      for (const left of [{ has_password: false }, { has_phone_number: false }]) {
        const router = await find(left, path);
        expect(router.state.location.pathname).toBe('/login');
        expect(signOuts).toBe(1);
      }
    },
  );

  it.each(['/login', '/restore-password'])('ends on a screen of people who are not signed in: %s', async (path) => {
    const router = await find({ has_password: false }, path);
    expect(router.state.location.pathname).toBe(path);
    expect(signOuts).toBe(1);
  });

  it('stays while its user reads the terms beside it, and leads nobody on from there', async () => {
    const router = await find({ has_phone_number: false }, '/terms-and-conditions');
    expect(router.state.location.pathname).toBe('/terms-and-conditions');
    expect(signOuts).toBe(0);
    await router.navigate({ to: '/' });
    expect(router.state.location.pathname).toBe('/login');
    expect(signOuts).toBe(1);
  });

  it('does not end when a link to the sign-in is only pointed at', async () => {
    const router = await find({ has_phone_number: false }, '/faq');
    await router.preloadRoute({ to: '/login' });
    expect(signOuts).toBe(0);
  });

  it('is not opened if the server does not answer the sign-out, which is sent again later', async () => {
    const opened = find({ has_password: false }, '/create-password');
    serve(http.post('/connect/logout', () => problem(503, 'The server is busy.')));
    expect((await opened).state.location.pathname).toBe('/login');
    expect(pendingSignOut()).toBe('sign-out');
  });

  it('goes on if its code is sent to a phone that its owner has', async () => {
    const router = await find({}, '/');
    expect(router.state.location.pathname).toBe('/two-factor-confirm');
    expect(signOuts).toBe(0);
  });

  it('goes on if this page began it, until its user is forgotten', async () => {
    const queryClient = new QueryClient();
    replaceSession(queryClient);
    const router = await find({ has_password: false }, '/create-password', queryClient);
    expect(router.state.location.pathname).toBe('/create-password');
    expect(signOuts).toBe(0);
    tellUserForgotten();
    await router.navigate({ to: '/' });
    expect(router.state.location.pathname).toBe('/login');
    expect(signOuts).toBe(1);
  });
});

describe('the link of a mail', () => {
  const pages = [
    '/reset-password',
    '/confirm-email',
    '/undo-email-change',
    '/login/callback',
    '/signup',
    '/signup-expired',
  ];
  /** The page that a mail led to, and what it holds of the link. */
  async function follow(path: string) {
    const before = window.location.href;
    window.history.replaceState(null, '', `${path}#token=berth_once&userId=u1`);
    followLinks();
    window.history.replaceState(null, '', before);
    const router = await open(undefined, path);
    return { router, held: () => JSON.stringify(router.state.matches.map(({ loaderData }) => loaderData)) };
  }

  async function leaveAndGoBack(router: ReturnType<typeof createAppRouter>) {
    const path = router.state.location.pathname;
    await router.navigate({ to: '/login' });
    expect(router.state.location.pathname).toBe('/login');
    router.history.back();
    await router.load();
    expect(router.state.location.pathname).toBe(path);
  }

  beforeEach(() => {
    serve(
      http.get('/connect/userinfo', () => problem(401, 'Please sign in.')),
      http.post('/api/public/invitation', () => HttpResponse.json({ state: 'pending' })),
    );
  });

  it.each(pages)('is gone when its page was left, also for Back: %s', async (path) => {
    const { router, held } = await follow(path);
    expect(held()).toContain('berth_once');
    await leaveAndGoBack(router);
    expect(held()).not.toContain('berth_once');
  });

  it.each(['/login/callback', '/signup'])(
    'is there for another try where its page could not load, and gone when that was left: %s',
    async (path) => {
      const fail = () => problem(503, 'The server is busy.');
      serve(http.get('/connect/userinfo', fail, { once: true }));
      const first = await follow(path);
      expect(first.held()).not.toContain('berth_once');
      await first.router.invalidate();
      expect(first.held()).toContain('berth_once');
      serve(http.get('/connect/userinfo', fail, { once: true }));
      const second = await follow(path);
      await leaveAndGoBack(second.router);
      expect(second.held()).not.toContain('berth_once');
    },
  );
});
