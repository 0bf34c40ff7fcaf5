import { cleanNotifications } from '@mantine/notifications';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { toast } from '@/components/toast';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { APP_ROUTES } from '@/testing/app-routes';
import { currentUser, publicSettings, userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { takeViews } from '@/testing/views';
import { AppFrame } from './components/app-frame';

beforeEach(() => serve(answerGet('/api/public/settings', publicSettings())));
afterEach(async () => {
  cleanNotifications();
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
});

const intake = currentUser({ role_intake_site_ids: 's1' });

const turnedOff = (names: string) =>
  currentUser({ role_intake_site_ids: 's1', views: { 'setting.shortcuts-off': names } });

const nothing = () => undefined;

/** Opens a screen whose rows are `names`; without any shortcut for those who have turned all off. */
async function open(names: readonly string[] = [], user = intake) {
  const pressed: string[] = [];
  function Rows() {
    const [typed, setTyped] = useState('');
    return (
      <AppFrame liveStatus="live" onExplain={nothing}>
        <h1 data-page-heading tabIndex={-1}>
          Reservations
        </h1>
        <input aria-label="Find" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        <ul>
          {names.map((name) => (
            <li key={name} data-shortcut-scope>
              <button type="button">{name}</button>
              <button type="button" data-shortcut="d" onClick={() => pressed.push(`decline ${name}`)}>
                Decline {name}
              </button>
              <button type="button" data-shortcut="a" onClick={() => pressed.push(`accept ${name}`)}>
                Accept {name}
              </button>
            </li>
          ))}
        </ul>
      </AppFrame>
    );
  }
  const screen = await renderView(<Rows />, { user, routes: APP_ROUTES, path: '/user-settings' });
  await expect.element(screen.getByRole('heading', { name: 'Reservations' })).toBeVisible();
  // Their code comes a moment later. Without a message, z takes nothing back.
  const isHeard = () =>
    !document.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true, cancelable: true }));
  const areAllOff = user.views['setting.shortcuts-off'] === 'all';
  await expect.poll(() => areAllOff || isHeard()).toBe(true);
  return { screen, pressed };
}

describe('the keyboard leads', () => {
  it.each([
    ['gt', intake, '/today'],
    ['gr', intake, '/reservations'],
    ['gs', intake, '/organizations'],
    ['gs', currentUser({ role_global: true }), '/free-rehabs'],
  ])('by %s', async (keys, user, path) => {
    const { screen } = await open([], user);
    await userEvent.keyboard(keys);
    await expect.poll(() => screen.router.state.location.pathname).toBe(path);
  });
});

describe('a and d', () => {
  it('act on the only row', async () => {
    const { pressed } = await open(['Anna']);
    await userEvent.keyboard('ad');
    expect(pressed).toEqual(['accept Anna', 'decline Anna']);
  });

  it('act on the row with the focus', async () => {
    const { screen, pressed } = await open(['Anna', 'Ben']);
    (screen.getByRole('button', { name: 'Ben', exact: true }).element() as HTMLElement).focus();
    await userEvent.keyboard('ad');
    expect(pressed).toEqual(['accept Ben', 'decline Ben']);
  });

  it('of several rows without the focus decide nothing: the first gets the focus', async () => {
    const { screen, pressed } = await open(['Anna', 'Ben']);
    await userEvent.keyboard('d');
    expect(pressed).toEqual([]);
    await expect.element(screen.getByRole('button', { name: 'Decline Anna' })).toHaveFocus();
    await userEvent.keyboard('d');
    expect(pressed).toEqual(['decline Anna']);
  });

  it('are letters in the search', async () => {
    const { screen, pressed } = await open(['Anna']);
    await screen.getByLabelText('Find').click();
    await userEvent.keyboard('ad?');
    await expect.element(screen.getByLabelText('Find')).toHaveValue('ad?');
    expect(pressed).toEqual([]);
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  });
});

it('z presses the Undo of the newest message, and leaves one with another button alone', async () => {
  const { screen } = await open();
  const [older, newer] = [vi.fn<() => void>(), vi.fn<() => void>()];
  toast.success('Ana was moved.', { undo: { onUndo: older } });
  toast.success('Ben was moved.', { undo: { onUndo: newer } });
  toast.success('Paul was added.', { about: 'paul', action: { label: 'Choose a bed', onAction: older } });
  await expect.element(screen.getByText('Paul was added.')).toBeVisible();
  await userEvent.keyboard('z');
  expect([older, newer].map((one) => one.mock.calls.length)).toEqual([0, 1]);
  await expect.element(screen.getByText('Ben was moved.')).not.toBeInTheDocument();
  await userEvent.keyboard('z');
  expect(newer).toHaveBeenCalledTimes(1);
});

describe('the sheet of shortcuts', () => {
  const sheet = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

  it('opens by ? and names every key', async () => {
    await open();
    await userEvent.keyboard('?');
    await expect.element(sheet()).toBeVisible();
    const keys = [...document.querySelectorAll('[role="dialog"] li')].map((row) =>
      [...row.querySelectorAll('kbd')].map((key) => key.textContent).join(' '),
    );
    expect(keys).toEqual(['g t', 'g r', 'g s', '/', 'a', 'd', 'm', 'n', 'z', '?']);
    await expectNoViolations();
  });

  it('opens from the help menu, also when all are off', async () => {
    const { screen } = await open([], turnedOff('all'));
    await screen.getByRole('button', { name: 'Help' }).click();
    await screen.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await expect.element(sheet()).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(sheet()).not.toBeInTheDocument();
    // Their code is there by now.
    await userEvent.keyboard('?');
    await expect.element(sheet()).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Help' }).click();
    await screen.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await expect.element(sheet().getByRole('switch', { name: 'Use keyboard shortcuts' })).not.toBeChecked();
    await expect.element(sheet().getByRole('switch', { name: 'Accept' })).toBeDisabled();
  });

  it('turns one off, for the user wherever they sign in', async () => {
    const sent = takeViews();
    const { pressed } = await open(['Anna']);
    await userEvent.keyboard('?');
    await sheet().getByRole('switch', { name: 'Decline' }).click();
    await expect.poll(() => sent).toEqual(['shortcuts-off: decline']);
    await userEvent.keyboard('{Escape}');
    await expect.element(sheet()).not.toBeInTheDocument();
    await userEvent.keyboard('da');
    expect(pressed).toEqual(['accept Anna']);
  });

  it('turns one off beside those that another tab has turned off meanwhile', async () => {
    const sent = takeViews();
    await open();
    serve(
      answerGet(
        '/connect/userinfo',
        userInfo({ role_intake_site_ids: 's1', views: { 'setting.shortcuts-off': 'accept' } }),
      ),
    );
    await userEvent.keyboard('?');
    await expect.element(sheet().getByRole('switch', { name: 'Accept' })).not.toBeChecked();
    await sheet().getByRole('switch', { name: 'Decline' }).click();
    await expect.poll(() => sent).toEqual(['shortcuts-off: accept decline']);
  });

  it('turns all off, and keeps what was off by itself', async () => {
    const sent = takeViews();
    await open([], turnedOff('decline'));
    await userEvent.keyboard('?');
    const all = sheet().getByRole('switch', { name: 'Use keyboard shortcuts' });
    await all.click();
    await expect.poll(() => sent).toEqual(['shortcuts-off: decline all']);
    await all.click();
    await expect.element(sheet().getByRole('switch', { name: 'Accept' })).toBeChecked();
    await expect.element(sheet().getByRole('switch', { name: 'Decline' })).not.toBeChecked();
    await expect.poll(() => sent.at(-1)).toBe('shortcuts-off: decline');
  });

  it('says so when a choice was not stored, and shows what is', async () => {
    takeViews(() => problem(503, 'The server is busy.'));
    const { screen } = await open();
    await userEvent.keyboard('?');
    const decline = sheet().getByRole('switch', { name: 'Decline' });
    await decline.click();
    await expect.element(screen.getByText(/^The setting was not saved\. /)).toBeVisible();
    await expect.element(decline).toBeChecked();
  });

  it('fits a phone in the dark', async () => {
    await page.viewport(390, 844);
    writePreference('colorScheme', 'dark');
    await open();
    await userEvent.keyboard('?');
    await expect.element(sheet()).toBeVisible();
    await expectNoViolations();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});
