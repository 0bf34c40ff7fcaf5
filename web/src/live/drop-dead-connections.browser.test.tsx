import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connection } from '@/lib/lost-connection';
import { serve } from '@/testing/server';
import { dropDeadConnections } from './drop-dead-connections';

const hear = vi.fn<(event: Event) => void>();
let isSilent = false;

/** Stops nothing: the page of the tests loads over the same window. */
const watchStop = () => vi.spyOn(window, 'stop').mockImplementation(() => undefined);

beforeEach(() => {
  hear.mockReset();
  isSilent = false;
  serve(http.get('/healthz', () => (isSilent ? HttpResponse.error() : new HttpResponse('ok'))));
  for (const event of ['offline', 'online']) window.addEventListener(event, hear);
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const event of ['offline', 'online']) window.removeEventListener(event, hear);
});

const heard = () => hear.mock.calls.map(([{ type }]) => type);

it('what is being loaded is given up if nothing answers, and begins anew when the server does', async () => {
  const stop = watchStop();
  isSilent = true;
  await dropDeadConnections(false);
  await dropDeadConnections(false);
  expect(stop).toHaveBeenCalledTimes(2);
  expect(connection.isLost).toBe(true);
  expect(heard()).toEqual([]);
  isSilent = false;
  await expect.poll(() => connection.isLost, { timeout: 4000 }).toBe(false);
  // What was sent meanwhile was given up as well; the loss was told once though it was noticed twice.
  expect(stop).toHaveBeenCalledTimes(3);
  expect(heard()).toEqual(['offline', 'online']);
});

it('what is being loaded since before the silence is given up though the server answers again', async () => {
  const stop = watchStop();
  await dropDeadConnections(true);
  expect(stop).toHaveBeenCalled();
  await expect.poll(() => connection.isLost).toBe(false);
  expect(heard()).toEqual(['offline', 'online']);
});

it('nothing is given up where the server answers and only the stream is held back', async () => {
  const stop = watchStop();
  await dropDeadConnections(false);
  expect(stop).not.toHaveBeenCalled();
  expect(connection.isLost).toBe(false);
  expect(heard()).toEqual([]);
});
