import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadTexts } from '@/i18n/i18n';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem } from '@/testing/server';
import { takeViews } from '@/testing/views';
import { PreferenceSettings } from './components/preference-settings';

afterEach(() => {
  vi.unstubAllGlobals();
});

const intake = currentUser({ role_intake_site_ids: 's' });
const SOUND = 'Play a sound';
const NOTIFICATION = 'Show browser notifications';

it('a person may begin with Today, and take that back', async () => {
  const sent = takeViews();
  await loadTexts('account');
  const screen = await renderView(<PreferenceSettings />);
  const choice = screen.getByRole('switch', { name: 'Open Berth on Today' });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  await expect.element(choice).toBeChecked();
  await choice.click();
  await expect.element(choice).not.toBeChecked();
  await expect.poll(() => sent).toEqual(['start-today: on', 'start-today: ']);
  // The next user of this computer gets none of it.
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain('start-today');
});

describe('a choice', () => {
  const first = async () => {
    await loadTexts('account', 'shell');
    const screen = await renderView(<PreferenceSettings />);
    return { screen, choice: screen.getByRole('switch', { name: 'Open Berth on Today' }) };
  };

  it('that the server did not store is as before again, and says so', async () => {
    takeViews(() => problem(503, 'The server is busy.'));
    const { screen, choice } = await first();
    await choice.click();
    await expect.element(screen.getByText(/^The setting was not saved\. /)).toBeVisible();
    await expect.element(choice).not.toBeChecked();
  });

  it.each([
    ['none of three', [503, 503, 503], false],
    ['the first of two', [204, 503], true],
    ['the second of three', [503, 204, 503], false],
    ['the third of three', [503, 503, 204], true],
  ])('is what the server has in the end, if it stores %s quick ones', async (_which, statuses, isOn) => {
    let release = () => undefined as void;
    const isPressed = new Promise<void>((resolve) => (release = resolve));
    const sent: string[] = takeViews(async () => {
      await isPressed;
      const status = statuses[sent.length - 1] ?? 503;
      return status === 204 ? new Response(null, { status }) : problem(status, 'The server is busy.');
    });
    const { screen, choice } = await first();
    for (const _ of statuses) await choice.click();
    release();
    await expect.poll(() => [sent.length, screen.queryClient.isMutating()]).toEqual([statuses.length, 0]);
    await expect.poll(() => (choice.element() as HTMLInputElement).checked).toBe(isOn);
  });

  it('is sent after the one before has arrived', async () => {
    let resolve: (answer: Response) => void = () => undefined;
    const answers = [new Promise<Response>((release) => (resolve = release))];
    const sent = takeViews(() => answers.pop() ?? new Response(null, { status: 204 }));
    const { choice } = await first();
    await choice.click();
    await choice.click();
    await choice.click();
    await expect.element(choice).toBeChecked();
    expect(sent).toEqual(['start-today: on']);
    resolve(new Response(null, { status: 204 }));
    await expect.poll(() => sent).toEqual(['start-today: on', 'start-today: ', 'start-today: on']);
    await expect.element(choice).toBeChecked();
  });
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
  const sent = takeViews();
  await loadTexts('account');
  const screen = await renderView(<PreferenceSettings />, { user: intake });
  const choice = screen.getByRole('switch', { name: SOUND });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  await expect.element(choice).toBeChecked();
  expect(played).toHaveBeenCalledOnce();
  await choice.click();
  await expect.poll(() => sent).toEqual(['alert-sound: on', 'alert-sound: ']);
  expect(played).toHaveBeenCalledOnce();
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
  const open = async (user = intake) => {
    await loadTexts('account');
    const screen = await renderView(<PreferenceSettings />, { user });
    return { screen, choice: screen.getByRole('switch', { name: NOTIFICATION }) };
  };

  it('are off, ask for permission when they are turned on, and show how they look', async () => {
    const { asked, shown } = answer('granted');
    const sent = takeViews();
    const { choice } = await open();
    await expect.element(choice).not.toBeChecked();
    expect(asked).not.toHaveBeenCalled();
    await choice.click();
    await expect.element(choice).toBeChecked();
    expect(asked).toHaveBeenCalledOnce();
    expect(shown).toEqual(['Notifications look like this']);
    await choice.click();
    await expect.element(choice).not.toBeChecked();
    await expect.poll(() => sent).toEqual(['alert-notification: on', 'alert-notification: ']);
  });

  it('are off in a browser that was not asked yet, though the user wants them elsewhere', async () => {
    const { asked } = answer('granted');
    const sent = takeViews();
    const { choice } = await open({ ...intake, views: { 'setting.alert-notification': 'on' } });
    await expect.element(choice).not.toBeChecked();
    await choice.click();
    await expect.element(choice).toBeChecked();
    expect(asked).toHaveBeenCalledOnce();
    await expect.poll(() => sent).toEqual(['alert-notification: on']);
  });

  it.each([
    ['blocks them', 'denied', true, 'Your browser blocks notifications'],
    ['is not allowed to show them', 'default', true, 'You did not allow notifications'],
    ['cannot show them', 'granted', false, 'This browser cannot show notifications'],
  ] as const)('stay off where the browser %s, which is explained', async (_, permission, canShow, words) => {
    answer(permission, canShow);
    const sent = takeViews();
    const { screen, choice } = await open();
    await choice.click();
    await expect.element(screen.getByText(words, { exact: false })).toBeVisible();
    await expect.element(choice).not.toBeChecked();
    expect(sent).toEqual([]);
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
