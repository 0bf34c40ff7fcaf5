import { onlineManager } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { siteQuery } from '@/features/sites/api/site-query';
import { guest, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { restoreScreen, useSmallScreen } from '@/testing/small-screen';
import { DecisionDialog, type DecisionDialogProps } from './decision-dialog';

const anna = guest('anna', { firstName: 'Anna', lastName: 'K', code: 'K7M2QX' });
const declined = { ...anna, status: 'rejected' as const, version: 2 };

afterEach(() => {
  tellUserForgotten();
  vi.restoreAllMocks();
});

/** The dialog; the answers come one after the other, the last one again and again. */
async function open(...answers: (() => Response)[]) {
  return await openFor({ subject: anna, kind: 'decline' }, ...answers);
}

async function openFor(of: Pick<DecisionDialogProps, 'subject' | 'kind'>, ...answers: (() => Response)[]) {
  const keys: (string | null)[] = [];
  const sent: unknown[] = [];
  serve(
    http.patch('/api/Guests/:id', async ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      sent.push(await request.json());
      return answers[Math.min(keys.length, answers.length) - 1]?.();
    }),
  );
  const on = { onClose: vi.fn<() => void>(), onDone: vi.fn<() => void>() };
  const user = currentUser({ role_intake_site_ids: 's1' });
  const screen = await renderView(<DecisionDialog {...of} {...on} />, { user });
  return { screen, keys, sent, ...on, decline: screen.getByRole('button', { name: 'Decline', exact: true }) };
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

it('a reservation that somebody else has accepted cannot be declined any more: the question can only be closed', async () => {
  const { screen, keys, decline, onClose, onDone } = await open(() =>
    problem(409, 'This guest already has a bed.', { guest: { ...anna, status: 'accepted', version: 2 } }),
  );
  await decline.click();
  const alert = screen.getByRole('alert');
  await expect.element(alert).toHaveTextContent('Status now: Accepted.');
  await expect.element(decline).not.toBeInTheDocument();
  await expect.element(alert).toHaveFocus();
  await expectNoViolations();
  await screen.getByText('Close', { exact: true }).click();
  expect(onClose).toHaveBeenCalledOnce();
  expect(onDone).not.toHaveBeenCalled();
  expect(keys).toHaveLength(1);
});

it('an arrival that somebody else has recorded is told beside the status, which stays the same', async () => {
  const at = new Date().toISOString();
  const { screen, decline } = await open(() =>
    problem(409, 'This guest has arrived. Discharge the guest instead.', {
      guest: { ...anna, status: 'accepted', version: 2, arrivedAt: at },
      changedBy: { name: 'Tom Becker', isYou: false, at },
    }),
  );
  await decline.click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent(/Status now: Accepted\. Arrived\. Tom Becker did this/);
});

it('who was faster is told in the time of the site', async () => {
  const at = '2026-03-02T03:05:00.000Z';
  const { screen, decline } = await open(() =>
    problem(409, 'This guest already has a bed.', {
      guest: { ...anna, status: 'accepted', version: 2 },
      changedBy: { name: 'Tom Becker', isYou: false, at },
    }),
  );
  screen.queryClient.setQueryData(siteQuery(anna.siteId).queryKey, siteDetails([], { timeZone: 'Pacific/Honolulu' }));
  await decline.click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent(/Tom Becker did this .*5:05\sPM/);
});

describe('a discharge of a guest whom somebody else has moved', () => {
  const inBed = (id: string, fields: Partial<Schemas['Guest']>) =>
    guest('anna', {
      ...anna,
      status: 'accepted',
      assignedBedId: id,
      room: { id: '1', name: 'House 1', imagePath: null },
      bed: { id, name: `Bed ${id}`, type: 'Detox', index: 0, imagePath: null },
      ...fields,
    });
  const moved = inBed('b', { status: 'reassigned', version: 2 });
  const changed = (now: Schemas['Guest']) => () =>
    problem(412, 'Someone else changed this in the meantime. Here is how it is now.', { guest: now });

  it('asks about the bed where the guest is now, keeps what was typed, and goes through', async () => {
    const { screen, sent, onDone } = await openFor({ subject: inBed('a', {}), kind: 'discharge' }, changed(moved), () =>
      HttpResponse.json({ ...moved, status: 'discharged', version: 3 }),
    );
    const question = screen.getByRole('dialog');
    await expect.element(question).toHaveTextContent('House 1 / Bed a');
    await question.getByRole('textbox').fill('Went home.');
    await question.getByRole('button', { name: 'Discharge' }).click();
    await expect.element(question).toHaveTextContent('House 1 / Bed b');
    await expect.element(question.getByRole('alert')).toHaveTextContent('Status now: Reassigned.');
    await expect.element(question.getByRole('textbox')).toHaveValue('Went home.');
    expect(onDone).not.toHaveBeenCalled();
    await question.getByRole('button', { name: 'Discharge' }).click();
    await expect.poll(() => onDone.mock.calls.length).toBe(1);
    expect(sent).toMatchObject([
      { version: 1, feedback: 'Went home.' },
      { version: 2, feedback: 'Went home.' },
    ]);
  });

  it('can only be closed if the guest has left', async () => {
    const left = inBed('a', { status: 'discharged', version: 2, assignedBedId: null, room: null, bed: null });
    const { screen, sent } = await openFor({ subject: inBed('a', {}), kind: 'discharge' }, changed(left));
    const question = screen.getByRole('dialog');
    const discharge = question.getByRole('button', { name: 'Discharge' });
    await discharge.click();
    await expect.element(question.getByRole('alert')).toHaveTextContent('Status now: Discharged.');
    await expect.element(question).toHaveTextContent('House 1 / Bed a');
    await expect.element(discharge).not.toBeInTheDocument();
    expect(sent).toMatchObject([{ version: 1 }]);
  });
});

it('a refusal is in the window where a keyboard takes half of it', async () => {
  await page.viewport(390, 420);
  try {
    const { screen, decline } = await open(() =>
      problem(412, 'Someone else changed this in the meantime. Here is how it is now.', { guest: anna }),
    );
    await decline.click();
    const alert = screen.getByRole('alert');
    await expect.element(alert).toBeVisible();
    await expect.poll(() => alert.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(420);
    expect(alert.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
  } finally {
    await page.viewport(1360, 900);
  }
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

const reasons = [
  { id: 'r1', kind: 'Decline', name: 'Needs detox first', isDisabled: false },
  { id: 'r2', kind: 'Decline', name: 'Papers missing', isDisabled: false },
  { id: 'r3', kind: 'Discharge', name: 'Completed the program', isDisabled: false },
];

it('a decline may name a reason for declines, and is sent without one otherwise', async () => {
  serve(answerGet('/api/Sites/s1/reasons', reasons));
  const sent: unknown[] = [];
  const { screen, decline, onDone } = await open();
  serve(
    http.patch('/api/Guests/:id', async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? problem(422, 'This reason is no longer offered.') : HttpResponse.json(declined);
    }),
  );
  const choice = screen.getByRole('combobox', { name: 'Reason (optional)' });
  await expect.element(choice).toBeEnabled();
  await expect.element(choice).toHaveValue('');
  const texts = choice.getByRole('option').elements();
  expect(texts.map((option) => option.textContent)).toEqual([
    'No reason from the list',
    'Needs detox first',
    'Papers missing',
  ]);
  await expectNoViolations();
  await choice.selectOptions('Papers missing');
  await screen.getByRole('textbox', { name: 'Feedback (optional)' }).fill('Call again on Monday.');
  await decline.click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('This reason is no longer offered.');
  await expect.element(choice).toHaveValue('r2');
  await choice.selectOptions('No reason from the list');
  await decline.click();
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
  const decision = { id: 'anna', status: 'REJECTED', bedId: null, version: 1, feedback: 'Call again on Monday.' };
  expect(sent).toEqual([{ ...decision, reasonId: 'r2' }, decision]);
});

it('a list of reasons that cannot be loaded keeps nobody from deciding', async () => {
  serve(http.get('/api/Sites/:id/reasons', () => problem(500, 'Something went wrong on our side.')));
  const { screen, decline, onDone } = await open(() => HttpResponse.json(declined));
  await expect
    .element(screen.getByText('The list of reasons could not be loaded. You can go on without one.'))
    .toBeVisible();
  expect(screen.getByRole('combobox').query()).toBeNull();
  await decline.click();
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
});

it.each([
  ['comes', () => HttpResponse.json(reasons), 0],
  ['fails', () => problem(500, 'Something went wrong on our side.'), 0],
  // From above: what is pressed and what is typed in stay where they are.
  ['is empty, so that the dialog shrinks', () => HttpResponse.json([]), 60],
])('the room for the reason is there while the list loads; nothing moves when it %s', async (_how, answer, isLess) => {
  let arrive = () => undefined as void;
  const isAsked = new Promise<void>((resolve) => (arrive = resolve));
  serve(
    http.get('/api/Sites/:id/reasons', async () => {
      await isAsked;
      return answer();
    }),
  );
  const { screen, decline } = await open();
  const dialog = screen.getByRole('dialog');
  const choice = screen.getByRole('combobox', { name: 'Reason (optional)' });
  await expect.element(choice).toBeDisabled();
  await expect.element(choice).toHaveTextContent('Loading reasons…');
  await expectNoViolations();
  const feedback = screen.getByRole('textbox', { name: 'Feedback (optional)' });
  const places = () => [feedback, decline].map((part) => Math.round(part.element().getBoundingClientRect().top));
  const height = () => dialog.element().getBoundingClientRect().height;
  const before = { places: places(), height: height() };
  arrive();
  await expect.element(choice.filter({ hasText: 'Loading' })).not.toBeInTheDocument();
  expect(places()).toEqual(before.places);
  expect(before.height - height()).toBeGreaterThanOrEqual(isLess);
  expect(before.height - height()).toBeLessThanOrEqual(isLess * 2);
});

it('without a network the list of reasons does not seem to load, and loads when the network is back', async () => {
  serve(answerGet('/api/Sites/s1/reasons', reasons));
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const { screen } = await open();
  const choice = screen.getByRole('combobox', { name: 'Reason (optional)' });
  await expect.element(choice).toHaveTextContent('No connection. You can go on without a reason.');
  onlineManager.setOnline(true);
  await expect.element(choice).toBeEnabled();
  await choice.selectOptions('Papers missing');
});

it('a chosen reason is not lost by Escape', async () => {
  serve(answerGet('/api/Sites/s1/reasons', reasons));
  const { screen, onClose } = await open();
  await screen.getByRole('combobox', { name: 'Reason (optional)' }).selectOptions('Papers missing');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('button', { name: 'Keep editing' })).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});

it('a long reason is read as a whole on a phone with large letters', async () => {
  await useSmallScreen({ width: 390, letters: 200 });
  serve(
    answerGet('/api/Sites/s1/reasons', [{ id: 'r1', kind: 'Decline', name: 'Needs more care than this site gives' }]),
  );
  const { screen } = await open(() => HttpResponse.json(declined));
  const choice = screen.getByLabelText('Reason');
  await expect.element(choice).toBeEnabled();
  const heightOf = () => choice.element().clientHeight;
  await choice.selectOptions('Needs more care than this site gives');
  const line = parseFloat(getComputedStyle(choice.element()).lineHeight);
  expect(heightOf()).toBeGreaterThan(3 * line);
  await restoreScreen();
});
