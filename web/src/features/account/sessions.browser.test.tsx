import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import type { Session } from './api/sessions';
import { SessionList } from './components/session-list';

const here: Session = {
  id: 's1',
  browser: 'Chrome',
  system: 'Windows',
  address: '198.51.100.7',
  createdAt: '2026-01-01T08:00:00.000Z',
  lastSeenAt: '2026-01-01T09:00:00.000Z',
  isCurrent: true,
};
const phone: Session = {
  ...here,
  id: 's2',
  browser: 'Safari',
  system: 'iPhone',
  address: '203.0.113.9',
  isCurrent: false,
};

it('the list names each device, marks this one, and signs another one out', async () => {
  let sessions = [here, phone];
  const ended: unknown[] = [];
  serve(
    http.get('/api/Users/sessions', () => HttpResponse.json(sessions)),
    http.delete('/api/Users/sessions/:id', ({ params }) => {
      ended.push(params.id);
      sessions = [here];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const screen = await renderView(<SessionList />);
  const rows = screen.getByRole('listitem');
  await expect.element(rows.nth(0)).toHaveTextContent('Chrome on Windows');
  await expect.element(rows.nth(0)).toHaveTextContent('This device');
  await expect.element(rows.nth(1)).toHaveTextContent('Safari on iPhone');
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Sign out Safari on iPhone at 203.0.113.9' }).click();
  await expect.element(screen.getByText('Safari on iPhone')).not.toBeInTheDocument();
  expect(ended).toEqual(['s2']);
});

it('signing out everywhere asks first, tells a refusal in place, and ends at the sign-in page', async () => {
  let calls = 0;
  serve(
    answerGet('/api/Users/sessions', [here, phone]),
    http.delete('/api/Users/sessions', () => {
      calls += 1;
      return calls === 1 ? problem(503, 'The service is busy.') : new HttpResponse(null, { status: 204 });
    }),
  );
  const screen = await renderView(<SessionList />, { path: '/user-settings' });
  await screen.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Sign out everywhere?' });
  await expect.element(dialog).toBeVisible();
  await expectNoViolations();
  expect(calls).toBe(0);
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The service is busy.');
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/login');
});
