import { http, HttpResponse } from 'msw';
import { afterEach, expect, it } from 'vitest';
import { serve } from '@/testing/server';
import { client, unwrap } from './client';
import { forgetAnswers } from './entity-tags';

afterEach(() => forgetAnswers());

const languages = [{ id: 'en', name: 'English' }];

/** A server that has one list under one tag, and notes what it was asked for. */
function serveTagged(tag = '"7-f-1"') {
  const asked: (string | null)[] = [];
  serve(
    http.get('/api/Languages', ({ request }) => {
      asked.push(request.headers.get('If-None-Match'));
      if (request.headers.get('If-None-Match') === tag)
        return new Response(null, { status: 304, headers: { ETag: tag } });
      return HttpResponse.json(languages, { headers: { ETag: tag, 'Cache-Control': 'no-store' } });
    }),
  );
  return asked;
}

it('what has not changed is asked for by its tag, and a 304 gives the kept answer', async () => {
  const asked = serveTagged();
  const first = await unwrap(client.GET('/api/Languages'));
  const second = await unwrap(client.GET('/api/Languages'));
  expect(asked).toEqual([null, '"7-f-1"']);
  expect(first).toEqual(languages);
  expect(second).toEqual(languages);
});

it('what has changed replaces what was kept', async () => {
  serveTagged('"1"');
  await unwrap(client.GET('/api/Languages'));
  const asked = serveTagged('"2"');
  await unwrap(client.GET('/api/Languages'));
  await unwrap(client.GET('/api/Languages'));
  expect(asked).toEqual(['"1"', '"2"']);
});

it('nothing is kept after the session has ended, nor of an answer without a tag, nor of a refusal', async () => {
  const asked = serveTagged();
  await unwrap(client.GET('/api/Languages'));
  forgetAnswers();
  await unwrap(client.GET('/api/Languages'));
  expect(asked).toEqual([null, null]);
  serve(http.get('/api/Languages', () => new Response(null, { status: 404 }), { once: true }));
  await unwrap(client.GET('/api/Languages')).catch(() => undefined);
  await unwrap(client.GET('/api/Languages'));
  expect(asked).toEqual([null, null, null]);
});

it('other addresses and changes have nothing to do with it', async () => {
  const seen: (string | null)[] = [];
  serveTagged();
  serve(
    http.get('/api/SiteServices/commercial', ({ request }) => {
      seen.push(request.headers.get('If-None-Match'));
      return HttpResponse.json([]);
    }),
    http.post('/connect/extend', ({ request }) => {
      seen.push(request.headers.get('If-None-Match'));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await unwrap(client.GET('/api/Languages'));
  await unwrap(client.GET('/api/SiteServices/commercial'));
  await unwrap(client.POST('/connect/extend'));
  expect(seen).toEqual([null, null]);
});
