import { http, HttpResponse } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { connection } from '@/lib/lost-connection';
import { serve } from '@/testing/server';
import { dropDeadConnections, noteConnection } from './drop-dead-connections';

/** Stops nothing: the page of the tests loads over the same window. */
const watchStop = () => vi.spyOn(window, 'stop').mockImplementation(() => undefined);
const answer = () => serve(http.get('/healthz', () => new HttpResponse('ok')));
const beSilent = () => serve(http.get('/healthz', () => HttpResponse.error()));

afterEach(() => {
  vi.restoreAllMocks();
  connection.isLost = false;
});

it('what is being loaded is given up if nothing answers', async () => {
  const stop = watchStop();
  beSilent();
  await dropDeadConnections(false);
  expect(stop).toHaveBeenCalledOnce();
  expect(connection.isLost).toBe(true);
});

it('what is being loaded since before the silence is given up though the server answers again', async () => {
  const stop = watchStop();
  answer();
  await dropDeadConnections(true);
  expect(stop).toHaveBeenCalledOnce();
});

it('nothing is given up where the server answers and only the stream is held back', async () => {
  const stop = watchStop();
  answer();
  connection.isLost = true;
  await dropDeadConnections(false);
  expect(stop).not.toHaveBeenCalled();
  expect(connection.isLost).toBe(false);
});

it('what waits for the network hears once that the server answers', () => {
  const hear = vi.fn<() => void>();
  window.addEventListener('online', hear);
  noteConnection();
  expect(hear).not.toHaveBeenCalled();
  connection.isLost = true;
  noteConnection();
  noteConnection();
  expect(hear).toHaveBeenCalledOnce();
  window.removeEventListener('online', hear);
});
