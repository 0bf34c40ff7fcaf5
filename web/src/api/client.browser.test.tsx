import { http, HttpResponse } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { monotonicNow, noteServerTime, serverNow } from '@/lib/clock';
import { problem, serve } from '@/testing/server';
import { lastActivityAt, noteCountedCall } from './activity';
import { client, FORM_HEADERS, unwrap } from './client';
import { ConflictError, NetworkError } from './errors';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('calls that change something carry our header, others do not', async () => {
  const seen: (string | null)[] = [];
  serve(
    http.get('/api/Languages', ({ request }) => {
      seen.push(request.headers.get('X-Berth'));
      return HttpResponse.json([]);
    }),
    http.post('/connect/extend', ({ request }) => {
      seen.push(request.headers.get('X-Berth'));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await unwrap(client.GET('/api/Languages'));
  await unwrap(client.POST('/connect/extend'));
  expect(seen).toEqual([null, '1']);
});

it('no call carries a token: the cookie of the session goes along by itself', async () => {
  const seen: (string | null)[] = [];
  const note = ({ request }: { request: Request }) => {
    seen.push(request.headers.get('Authorization'), request.credentials);
    return HttpResponse.json([]);
  };
  serve(http.get('/api/Languages', note), http.post('/connect/extend', note));
  await unwrap(client.GET('/api/Languages'));
  await unwrap(client.POST('/connect/extend'));
  expect(seen).toEqual([null, 'same-origin', null, 'same-origin']);
});

it('a call counts from when it was sent, however late its answer comes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  serve(
    http.get('/api/Languages', async () => {
      arrive();
      await answered;
      return HttpResponse.json([]);
    }),
  );
  window.dispatchEvent(new KeyboardEvent('keydown'));
  noteCountedCall();
  vi.advanceTimersByTime(1000);
  const sentAt = monotonicNow();
  const call = unwrap(client.GET('/api/Languages'));
  await arrived;
  vi.advanceTimersByTime(850_000);
  answer();
  await call;
  expect(lastActivityAt()).toBe(sentAt);
});

it('a call without anybody there is marked, and does not count as activity', async () => {
  const seen: (string | null)[] = [];
  serve(
    http.get('/api/Languages', ({ request }) => {
      seen.push(request.headers.get('X-Berth-Background'));
      return HttpResponse.json([]);
    }),
  );
  vi.useFakeTimers({ toFake: ['performance'] });
  window.dispatchEvent(new KeyboardEvent('keydown'));
  await unwrap(client.GET('/api/Languages'));
  const counted = lastActivityAt();
  vi.advanceTimersByTime(61_000);
  await unwrap(client.GET('/api/Languages'));
  expect(lastActivityAt()).toBe(counted);
  window.dispatchEvent(new KeyboardEvent('keydown'));
  await unwrap(client.GET('/api/Languages'));
  expect(lastActivityAt()).toBe(monotonicNow());
  expect(seen).toEqual([null, '1', null]);
});

it('each answer says what time it is on the server', async () => {
  const ahead = Date.now() + 3_600_000;
  const headers = { 'X-Berth-Time': new Date(ahead).toISOString() };
  serve(http.get('/api/Languages', () => HttpResponse.json([], { headers })));
  await unwrap(client.GET('/api/Languages'));
  // As far ahead as the server, but for the time that the answer took.
  expect(Math.abs(serverNow() - ahead)).toBeLessThan(600_000);
  // Other tests of this page count by the clock of the browser again.
  noteServerTime(Date.now(), monotonicNow(), monotonicNow());
});

it('the calls of the sign-in are form-encoded', async () => {
  const bodies: string[] = [];
  serve(
    http.post('/connect/token', async ({ request }) => {
      expect(request.headers.get('Content-Type')).toContain('application/x-www-form-urlencoded');
      bodies.push(await request.text());
      return HttpResponse.json({ token_type: 'Bearer', expires_in: 1, stage: 'full' });
    }),
  );
  await unwrap(
    client.POST('/connect/token', {
      body: { grant_type: 'password', username: 'a+b@c.example' },
      headers: FORM_HEADERS,
    }),
  );
  expect(bodies).toEqual(['grant_type=password&username=a%2Bb%40c.example']);
});

it('a refusal is thrown as its class, with the words of the server', async () => {
  serve(http.post('/connect/extend', () => problem(409, 'Someone was first.', { code: 'taken' })));
  await expect(unwrap(client.POST('/connect/extend'))).rejects.toThrow(ConflictError);
  await expect(unwrap(client.POST('/connect/extend'))).rejects.toMatchObject({
    message: 'Someone was first.',
    code: 'taken',
  });
});

it('a server out of reach is an error of its own', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(unwrap(client.POST('/connect/extend'))).rejects.toThrow(NetworkError);
});
