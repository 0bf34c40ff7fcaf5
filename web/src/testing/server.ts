import { getResponse, http, type HttpHandler, HttpResponse } from 'msw';
import type { Problem } from '@/api/errors';

/**
 * The server of component tests: MSW handlers answer in place of fetch, without a service worker. A call nobody
 * answers fails the test by a 501 with its address.
 */
let handlers: HttpHandler[] = standing();

/**
 * What every question about a decision asks for: most organizations of the tests have no lists of reasons. And what every
 * choice of a table sends.
 */
function standing(): HttpHandler[] {
  return [
    http.get('/api/Sites/:id/reasons', () => HttpResponse.json([])),
    http.put('/api/Users/views', () => new HttpResponse(null, { status: 204 })),
  ];
}

/** Adds handlers; later ones win. They are gone after each test. */
export function serve(...added: HttpHandler[]): void {
  handlers = [...added, ...handlers];
}

/** Takes all added handlers away. */
export function resetServer(): void {
  handlers = standing();
}

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const aborted = new Promise<never>((_, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
  });
  const answer = await Promise.race([getResponse(handlers, request), aborted]);
  // `HttpResponse.error()` stands for a connection that broke.
  if (answer?.type === 'error') throw new TypeError('Failed to fetch');
  if (answer) return answer;
  const path = new URL(request.url).pathname;
  return problem(501, `No handler for ${request.method} ${path}.`);
};

/** A refusal as the server writes it. */
export function problem(status: number, message: string, more: Partial<Problem> = {}): Response {
  const body: Problem = {
    type: 'about:blank',
    title: message,
    status,
    detail: message,
    message,
    instance: '',
    ...more,
  };
  return HttpResponse.json(body, { status, headers: { 'Content-Type': 'application/problem+json' } });
}

/** GET `path` answers with `body`, an object of our own schema. */
export function answerGet<Body extends object>(path: string, body: Body): HttpHandler {
  return http.get(path, () => Response.json(body));
}

/** A list of the server that is all on its first page. */
export function onePage<Item>(items: readonly Item[]) {
  return {
    items: [...items],
    totalCount: items.length,
    hasNextPage: false,
    hasPreviousPage: false,
    pageIndex: 0,
    totalPages: 1,
    offset: 0,
    limit: 300,
    page: 1,
    pageSize: 300,
  };
}
