import { http, HttpResponse } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { guest } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { DecisionDialog } from './decision-dialog';

const anna = guest('anna', { firstName: 'Anna', lastName: 'K', code: 'K7M2QX' });
const declined = { ...anna, status: 'rejected' as const, version: 2 };

afterEach(() => {
  tellUserForgotten();
  vi.restoreAllMocks();
});

/** The dialog; the answers come one after the other, the last one again and again. */
async function open(...answers: (() => Response)[]) {
  const keys: (string | null)[] = [];
  serve(
    http.patch('/api/Guests/:id', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return answers[Math.min(keys.length, answers.length) - 1]?.();
    }),
  );
  const on = { onClose: vi.fn<() => void>(), onDone: vi.fn<() => void>() };
  const user = currentUser({ role_intake_site_ids: 's1' });
  const screen = await renderView(<DecisionDialog subject={anna} kind="decline" {...on} />, { user });
  return { screen, keys, ...on, decline: screen.getByRole('button', { name: 'Decline', exact: true }) };
}

it('a double click declines once', async () => {
  const { keys, decline, onDone } = await open(() => HttpResponse.json(declined));
  await decline.dblClick();
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
  expect(keys).toHaveLength(1);
});

it('a lost answer is asked for under the same key; meanwhile it says so, and the dialog may be closed', async () => {
  const { screen, keys, decline, onClose, onDone } = await open(
    () => HttpResponse.error(),
    () => HttpResponse.json(declined),
  );
  await decline.click();
  await expect.element(screen.getByText('Not confirmed yet')).toBeVisible();
  await expect.element(decline).toBeDisabled();
  await expect.element(screen.getByText('Close', { exact: true })).toBeEnabled();
  await expectNoViolations();
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

it('whoever was faster is named', async () => {
  const at = new Date().toISOString();
  const { screen, decline } = await open(() =>
    problem(409, 'This guest already has a bed.', {
      guest: { ...anna, status: 'accepted', version: 2 },
      changedBy: { name: 'Tom Becker', isYou: false, at },
    }),
  );
  await decline.click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent(/Status now: Accepted\. Tom Becker did this at \d+:\d\d/);
});

it('the message undoes the decline', async () => {
  const sent: unknown[] = [];
  const { screen, decline } = await open(() => HttpResponse.json(declined));
  await decline.click();
  serve(
    http.patch('/api/Guests/:id', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...anna, version: 3 });
    }),
  );
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('The reservation for Anna K. is pending again.')).toBeVisible();
  expect(sent).toEqual([{ id: 'anna', status: 'UNDO', bedId: null, version: 2 }]);
  await expect.poll(() => screen.getByText('The reservation for Anna K. was declined.').elements()).toEqual([]);
});

it('an undo that is refused says about whom, since its answer may come late', async () => {
  const { screen, decline } = await open(
    () => HttpResponse.json(declined),
    () => problem(409, 'The time to undo this is over.', { guest: declined }),
  );
  await decline.click();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('The last change to Anna K. was not undone. The time to undo this is over.');
});
