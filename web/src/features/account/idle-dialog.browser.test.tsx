import { http, HttpResponse } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { noteCountedCall } from '@/api/activity';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { IdleDialog } from './components/idle-dialog';

afterEach(() => vi.useRealTimers());

/** As if the server had last heard from the user this many seconds ago. */
async function renderIdle(secondsAgo: number, onSignOut = vi.fn<(reason: 'idle' | 'wanted') => void>()) {
  vi.useFakeTimers({ toFake: ['performance'] });
  noteCountedCall();
  vi.advanceTimersByTime(secondsAgo * 1000);
  const screen = await renderView(<IdleDialog idleMinutes={5} onSignOut={onSignOut} />);
  return { screen, onSignOut };
}

it('asks one minute before the end, and staying tells the server', async () => {
  let extended = 0;
  serve(
    http.post('/connect/extend', ({ request }) => {
      expect(request.headers.get('X-Berth')).toBe('1');
      extended += 1;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { screen, onSignOut } = await renderIdle(4 * 60 + 10);
  await expect.element(screen.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible();
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Stay signed in' }).click();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(extended).toBeGreaterThan(0);
  expect(onSignOut).not.toHaveBeenCalled();
});

it('a refusal to stay is told in place', async () => {
  serve(http.post('/connect/extend', () => problem(500, 'The server is not well.')));
  const { screen } = await renderIdle(4 * 60 + 10);
  await screen.getByRole('button', { name: 'Stay signed in' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('The server is not well.');
});

it('signs out once when the time is over', async () => {
  const { onSignOut } = await renderIdle(5 * 60 + 1);
  await expect.poll(() => onSignOut.mock.calls, { timeout: 4000 }).toEqual([['idle']]);
});

it('signs out at once when a page that slept past the limit wakes', async () => {
  const { screen, onSignOut } = await renderIdle(60);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  vi.advanceTimersByTime(5 * 60_000);
  document.dispatchEvent(new Event('resume'));
  expect(onSignOut.mock.calls).toEqual([['idle']]);
});

it('says nothing while there is time', async () => {
  const { screen } = await renderIdle(60);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
});

it('a clock that is set neither signs out nor asks', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  noteCountedCall();
  const onSignOut = vi.fn<(reason: 'idle' | 'wanted') => void>();
  const screen = await renderView(<IdleDialog idleMinutes={5} onSignOut={onSignOut} />);
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(onSignOut).not.toHaveBeenCalled();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
});
