import { Modal } from '@mantine/core';
import { http } from 'msw';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { changeLanguage } from '@/i18n/i18n';
import { APP_ROUTES } from '@/testing/app-routes';
import { expectNoViolations } from '@/testing/axe';
import { currentUser, publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';
import {
  expectButtonsWhole,
  expectNoSidewaysScroll,
  restoreScreen,
  SMALL_SCREENS,
  useSmallScreen,
} from '@/testing/small-screen';
import { SearchEntry } from '@/features/search/components/search-entry';
import { LogoutLink, ProfileLink } from './components/account-links';
import { AppFrame } from './components/app-frame';
import { HelpMenu } from './components/help-menu';
import { PublicFrame } from './components/public-frame';

/** With the routes of the app, from which the sidebar is made. */
const renderFrame = (view: ReactNode, options: Parameters<typeof renderView>[1] = {}) =>
  renderView(view, { ...options, routes: APP_ROUTES });

const frame = (
  <AppFrame liveStatus="live" onExplain={vi.fn()}>
    <h1 data-page-heading tabIndex={-1}>
      Sites
    </h1>
  </AppFrame>
);

it('shows each role its own links, and only screens that exist', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(frame, { user: currentUser({ role_global: true }), path: '/free-rehabs' });
  const navigation = screen.getByRole('navigation', { name: 'Main' });
  await expect.element(navigation.getByRole('link', { name: 'Rehabs (Non-commercial)' })).toBeVisible();
  await expect.element(navigation.getByRole('link', { name: 'Rehabs (Commercial)' })).toBeVisible();
  await expect.element(navigation.getByRole('link', { name: 'Audit Log' })).toHaveAttribute('href', '/logs');
  await expect.element(navigation.getByRole('link', { name: 'User Management' })).toBeVisible();
  await expect.element(navigation.getByRole('link', { name: 'Organizations' })).not.toBeInTheDocument();
  await expect
    .element(navigation.getByRole('link', { name: 'Rehabs (Non-commercial)' }))
    .toHaveAttribute('aria-current', 'page');
  await expectNoViolations();
});

it('says beside Today and Reservations how many wait, and says nothing when none do', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const shell = (waiting: number) => (
    <AppFrame liveStatus="live" waiting={waiting} onExplain={vi.fn()}>
      <h1>Sites</h1>
    </AppFrame>
  );
  const screen = await renderFrame(shell(3), { user: currentUser({ role_intake_site_ids: 's' }) });
  for (const name of ['Today', 'Reservations']) {
    const link = screen.getByRole('link', { name, exact: true });
    await expect.element(link).toHaveTextContent(`${name}3`);
    await expect.element(link).toHaveAccessibleDescription('3 waiting for a decision');
  }
  await expectNoViolations();
  await screen.unmount();
  const none = await renderFrame(shell(0), { user: currentUser({ role_intake_site_ids: 's' }) });
  await expect.element(none.getByRole('link', { name: 'Today' })).toHaveTextContent(/^Today$/);
  await expect.element(none.getByRole('link', { name: 'Reservations' })).toHaveTextContent(/^Reservations$/);
});

it('the banner opens the new address in a new tab; the footer has the support phone and the privacy notice', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  const moved = screen.getByRole('link', { name: /Open admin\.berth\.example/ });
  await expect.element(moved).toHaveAttribute('target', '_blank');
  await expect.element(moved).toHaveAttribute('href', 'https://admin.berth.example');
  await expect
    .element(screen.getByRole('link', { name: '+1 (555) 010-1234' }))
    .toHaveAttribute('href', 'tel:+15550101234');
  await expect.element(screen.getByRole('link', { name: 'Privacy notice' })).toHaveAttribute('href', '/privacy-policy');
});

it('the banner stands before anything is loaded, can be closed, and comes back with another address', async () => {
  const meta = document.createElement('meta');
  meta.name = 'berth-moved-address';
  meta.content = 'https://admin.berth.example';
  document.head.append(meta);
  serve(http.get('/api/public/settings', () => new Promise<Response>(() => undefined)));
  const screen = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  const moved = screen.getByRole('link', { name: /Open admin\.berth\.example/ });
  await expect.element(moved).toBeVisible();
  await screen.getByRole('button', { name: 'Close this notice' }).click();
  await expect.element(moved).not.toBeInTheDocument();
  await screen.unmount();
  meta.remove();

  serve(answerGet('/api/public/settings', publicSettings()));
  const again = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  await expect.element(again.getByText('+1 (555) 010-1234')).toBeVisible();
  await expect.element(again.getByRole('complementary', { name: 'New address' })).not.toBeInTheDocument();
  await again.unmount();

  serve(answerGet('/api/public/settings', publicSettings({ movedAddress: 'https://other.berth.example' })));
  const other = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  await expect.element(other.getByRole('link', { name: /Open other\.berth\.example/ })).toBeVisible();
  localStorage.removeItem('berth.bannerClosed');
});

it('the help menu explains the page and leads to a person; profile and logout are links', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const explain = vi.fn<() => void>();
  const screen = await renderFrame(
    <AppFrame liveStatus="live" onExplain={explain}>
      <h1>Sites</h1>
    </AppFrame>,
    { user: currentUser() },
  );
  await expect.element(screen.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/user-settings');
  await expect.element(screen.getByRole('link', { name: 'Logout' })).toHaveAttribute('href', '/logout');
  await screen.getByRole('button', { name: 'Help' }).click();
  await screen.getByRole('menuitem', { name: 'Page Explanation' }).click();
  expect(explain).toHaveBeenCalledTimes(1);
  await screen.getByRole('button', { name: 'Help' }).click();
  await screen.getByRole('menuitem', { name: 'Contact Us' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/contact-us');
});

it('without an address there is no banner, and a strange one is never a link', async () => {
  serve(answerGet('/api/public/settings', publicSettings({ movedAddress: 'javascript:alert(1)' })));
  const screen = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  await expect.element(screen.getByText('+1 (555) 010-1234')).toBeVisible();
  await expect.element(screen.getByText('We have moved to a new address.', { exact: false })).not.toBeInTheDocument();
});

it('the first stop of the keyboard leads to the content', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(frame, { user: currentUser() });
  await userEvent.tab();
  await expect.element(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
});

it('speaks Spanish at a press, and the page says so', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  await screen.getByRole('button', { name: 'Español' }).click();
  await expect.element(screen.getByRole('link', { name: 'Organizaciones' })).toBeVisible();
  expect(document.documentElement.lang).toBe('es');
  await expectNoViolations();
  await changeLanguage('en');
});

it('dark is a theme with contrast of its own', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  await screen.getByRole('button', { name: 'Switch to dark' }).click();
  await expect.element(screen.getByRole('button', { name: 'Switch to light' })).toBeVisible();
  expect(document.documentElement.dataset.mantineColorScheme).toBe('dark');
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Switch to light' }).click();
});

it('on a phone the links are in a drawer that closes when one is taken', async () => {
  await page.viewport(390, 844);
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(frame, { user: currentUser({ role_staff_site_ids: 's' }) });
  await screen.getByRole('button', { name: 'Open navigation' }).click();
  const drawer = screen.getByRole('dialog');
  await expect.element(drawer.getByRole('link', { name: 'Reservations' })).toBeVisible();
  await expectNoViolations();
  await drawer.getByRole('link', { name: 'Reservations' }).click();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(screen.router.state.location.pathname).toBe('/reservations');
  await page.viewport(1360, 900);
});

it.each([390, 320])(
  'without the drawer, the header has room for its tools at %i px, in both languages',
  async (width) => {
    await page.viewport(width, 844);
    serve(answerGet('/api/public/settings', publicSettings()));
    try {
      for (const language of ['en', 'es'] as const) {
        await changeLanguage(language);
        const tools = (
          <>
            <HelpMenu onExplain={vi.fn()} />
            <ProfileLink />
            <LogoutLink />
          </>
        );
        const screen = await renderView(<PublicFrame tools={tools}>Text</PublicFrame>, { user: currentUser() });
        await expect.element(screen.getByRole('link', { name: /Logout|Cerrar/ })).toBeVisible();
        const last = [...screen.container.querySelectorAll('header a')].at(-1);
        expect(last?.getBoundingClientRect().right).toBeLessThanOrEqual(width);
        const lead = screen.container.querySelector('header > :first-child');
        const first = screen.container.querySelector('header > button');
        expect(lead?.getBoundingClientRect().right).toBeLessThanOrEqual(first?.getBoundingClientRect().left ?? 0);
        await screen.unmount();
      }
    } finally {
      await changeLanguage('en');
      await page.viewport(1360, 900);
    }
  },
);

it('the content is 1300 px wide at most', async () => {
  await page.viewport(1800, 900);
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(frame, { user: currentUser() });
  await expect.poll(() => screen.getByRole('main').element().getBoundingClientRect().width).toBe(1300);
  await page.viewport(1360, 900);
});

it('a connection that is gone is told after two seconds, above a dialog that covers the header', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderFrame(
    <AppFrame liveStatus="reconnecting" onExplain={vi.fn()}>
      <Modal opened fullScreen onClose={vi.fn()} title="Board" closeButtonProps={{ 'aria-label': 'Close' }}>
        <p>Beds</p>
      </Modal>
    </AppFrame>,
    { user: currentUser() },
  );
  const notice = screen.getByText('No connection to the server. Trying again…');
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(notice, { timeout: 4000 }).toBeVisible();
  const { bottom, left, right, top } = notice.element().getBoundingClientRect();
  notice.element().setAttribute('style', 'pointer-events: auto'); // What takes no click is not found at a point.
  expect(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)).toBe(notice.element());
});

describe.each(SMALL_SCREENS)('at $width px with letters of $letters %', (screenSize) => {
  beforeEach(() => useSmallScreen(screenSize));
  afterEach(restoreScreen);

  it('the buttons of the header are on the screen', async () => {
    serve(answerGet('/api/public/settings', publicSettings()));
    const search = <SearchEntry isOpen={false} onOpen={vi.fn()} />;
    const view = (
      <AppFrame liveStatus="live" onExplain={vi.fn()} search={search}>
        <h1>Sites</h1>
      </AppFrame>
    );
    const screen = await renderFrame(view, { user: currentUser({ role_staff_site_ids: 's' }) });
    await expect.element(screen.getByRole('button', { name: 'Help' })).toBeInTheDocument();
    expectButtonsWhole(screen.getByRole('banner').element());
    expectNoSidewaysScroll();
  });
});
