import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { changeLanguage } from '@/i18n/i18n';
import { ProfilePage } from '@/pages/profile-page';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { startTour } from './start-tour';

// The package takes no key while it moves: these tests are for people who want no motion.
beforeEach(() => {
  const real = matchMedia.bind(window);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    query.includes('prefers-reduced-motion')
      ? Object.defineProperty(real(query), 'matches', { value: true })
      : real(query),
  );
});

afterEach(async () => {
  vi.restoreAllMocks();
  await changeLanguage('en');
});

const view = (
  <main>
    <h1 data-page-heading>Users of Harbor House</h1>
    <button type="button" data-tour="invite">
      Send invite
    </button>
    <p data-tour="table" style={{ display: 'none' }}>
      Not shown now
    </p>
    <footer data-tour="footer">Support</footer>
  </main>
);

it('explains what is on the screen, leaves out what is not, and gives the focus back', async () => {
  const screen = await renderView(view, { path: '/user-management/s1' });
  screen.getByRole('button', { name: 'Send invite' }).element().focus();
  await startTour('siteUsers');
  const popover = screen.getByRole('dialog');
  await expect.element(popover).toHaveTextContent('Users of Harbor House');
  await expect.element(popover).toHaveTextContent('who has not accepted the invitation yet');
  await expect.element(popover).toHaveTextContent('1 of 3');
  await expectNoViolations();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(popover).toHaveTextContent('The link works for 7 days');
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(popover).toHaveTextContent('The support phone');
  await userEvent.keyboard('{Escape}');
  await expect.element(popover).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Send invite' })).toHaveFocus();
});

it('speaks the language of the page', async () => {
  const screen = await renderView(view, { path: '/user-management/s1' });
  await changeLanguage('es');
  await startTour('siteUsers');
  await expect.element(screen.getByRole('dialog')).toHaveTextContent('Quién trabaja en este centro');
  await userEvent.keyboard('{Escape}');
});

it.each([
  ['en', 'Messages', 'and your quiet hours.'],
  ['es', 'Mensajes', 'y su horario de silencio.'],
] as const)('explains the message settings in the profile, in the language %s', async (language, title, text) => {
  const screen = await renderView(<ProfilePage />, { path: '/user-settings' });
  await changeLanguage(language);
  await expect.element(screen.getByRole('button', { name: title, exact: true })).toBeVisible();
  await startTour('profile');
  const popover = screen.getByRole('dialog');
  for (const step of ['1', '2']) {
    await expect.element(popover).toHaveTextContent(new RegExp(`${step} (of|de) `));
    await userEvent.keyboard('{ArrowRight}');
  }
  await expect.element(popover).toHaveTextContent(new RegExp(`${title}.*${text}`));
  await userEvent.keyboard('{Escape}');
});
