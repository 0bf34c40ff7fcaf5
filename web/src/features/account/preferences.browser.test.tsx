import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadTexts } from '@/i18n/i18n';
import { clearPreference, readPreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { PreferenceSettings } from './components/preference-settings';

afterEach(() => {
  clearPreference('startPage');
  clearPreference('alertSound');
  clearPreference('alertNotification');
  vi.unstubAllGlobals();
});

const intake = currentUser({ role_intake_site_ids: 's' });
const SOUND = 'Play a sound';
const NOTIFICATION = 'Show browser notifications';

it('a person may begin with Today, and take that back', async () => {
  await loadTexts('account');
  const screen = await renderView(<PreferenceSettings />);
  const choice = screen.getByRole('switch', { name: 'Open Berth on Today' });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  expect(readPreference('startPage')).toBe('today');
  await choice.click();
  expect(readPreference('startPage')).toBeUndefined();
});

it('a sound is off until it is turned on, which plays it', async () => {
  const played = vi.fn<() => void>();
  const RealContext = AudioContext;
  vi.stubGlobal(
    'AudioContext',
    class extends RealContext {
      constructor() {
        super();
        played();
      }
    },
  );
  await loadTexts('account');
  const screen = await renderView(<PreferenceSettings />, { user: intake });
  const choice = screen.getByRole('switch', { name: SOUND });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  await expect.element(choice).toBeChecked();
  expect(played).toHaveBeenCalledOnce();
  expect(readPreference('alertSound')).toBe('yes');
  await choice.click();
  expect(readPreference('alertSound')).toBeUndefined();
  await expectNoViolations();
});

describe('notifications of the browser', () => {
  /** A browser that answers the question for permission, and shows notifications or cannot. */
  function answer(permission: NotificationPermission, canShow = true) {
    const asked = vi.fn<() => void>();
    const shown: string[] = [];
    class FakeNotification extends EventTarget {
      static permission: NotificationPermission = 'default';
      static async requestPermission() {
        asked();
        FakeNotification.permission = permission;
        return permission;
      }
      constructor(text: string) {
        super();
        if (!canShow) throw new TypeError('Illegal constructor');
        shown.push(text);
      }
      close = () => undefined;
    }
    vi.stubGlobal('Notification', FakeNotification);
    return { asked, shown };
  }
  const open = async () => {
    await loadTexts('account');
    const screen = await renderView(<PreferenceSettings />, { user: intake });
    return { screen, choice: screen.getByRole('switch', { name: NOTIFICATION }) };
  };

  it('are off, ask for permission when they are turned on, and show how they look', async () => {
    const { asked, shown } = answer('granted');
    const { choice } = await open();
    await expect.element(choice).not.toBeChecked();
    expect(asked).not.toHaveBeenCalled();
    await choice.click();
    await expect.element(choice).toBeChecked();
    expect(asked).toHaveBeenCalledOnce();
    expect(shown).toEqual(['Notifications look like this']);
    expect(readPreference('alertNotification')).toBe('yes');
    await choice.click();
    await expect.element(choice).not.toBeChecked();
    expect(readPreference('alertNotification')).toBeUndefined();
  });

  it.each([
    ['blocks them', 'denied', true, 'Your browser blocks notifications'],
    ['is not allowed to show them', 'default', true, 'You did not allow notifications'],
    ['cannot show them', 'granted', false, 'This browser cannot show notifications'],
  ] as const)('stay off where the browser %s, which is explained', async (_, permission, canShow, words) => {
    answer(permission, canShow);
    const { screen, choice } = await open();
    await choice.click();
    await expect.element(screen.getByText(words, { exact: false })).toBeVisible();
    await expect.element(choice).not.toBeChecked();
    expect(readPreference('alertNotification')).toBeUndefined();
    await expectNoViolations();
  });
});

it('global admins, who are told of no reservation, are offered neither', async () => {
  await loadTexts('account');
  const screen = await renderView(<PreferenceSettings />, { user: currentUser({ role_global: true }) });
  await expect.element(screen.getByRole('switch', { name: 'Open Berth on Today' })).toBeVisible();
  await expect.element(screen.getByRole('switch', { name: SOUND })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('switch', { name: NOTIFICATION })).not.toBeInTheDocument();
});
