import { onUserForgotten } from '@/lib/session-end';

/**
 * Answers with their entity tags, in the memory of this page alone. Nothing that can carry a guest may lie on the disk of
 * a shared computer, so the server answers `no-store` and the browser keeps nothing; asking again for what has not changed
 * still costs one 304 and no body.
 */
interface Kept {
  tag: string;
  body: string;
  type: string;
}

/** Most characters of all kept bodies together; the ones not asked for longest go first. */
const MAX_CHARACTERS = 4_000_000;

/** By address. A Map keeps the order of insertion: what was used last stands last. */
const kept = new Map<string, Kept>();
let characters = 0;

/** Forgets all answers; done by itself when the user is forgotten. */
export function forgetAnswers(): void {
  kept.clear();
  characters = 0;
}

onUserForgotten(forgetAnswers);

/** Lets a read ask only for what has changed since the answer that is kept. */
export function askForChange(request: Request): void {
  const answer = request.method === 'GET' ? kept.get(request.url) : undefined;
  if (answer) request.headers.set('If-None-Match', answer.tag);
}

/** The whole answer to a read: a 304 becomes the kept one; a new one with a tag is kept. */
export async function withKeptBody(request: Request, response: Response): Promise<Response> {
  if (request.method !== 'GET') return response;
  if (response.status === 304) {
    const answer = kept.get(request.url);
    if (!answer) return response;
    keep(request.url, answer);
    return new Response(answer.body, { status: 200, headers: withType(response, answer.type) });
  }
  const tag = response.headers.get('ETag');
  if (!response.ok || tag === null) {
    if (response.status < 500) forget(request.url);
    return response;
  }
  const body = await response.text();
  keep(request.url, { tag, body, type: response.headers.get('Content-Type') ?? 'application/json' });
  return new Response(body, { status: response.status, headers: response.headers });
}

function keep(url: string, answer: Kept): void {
  forget(url);
  if (answer.body.length > MAX_CHARACTERS) return;
  kept.set(url, answer);
  characters += answer.body.length;
  for (const oldest of kept.keys()) {
    if (characters <= MAX_CHARACTERS) return;
    forget(oldest);
  }
}

function forget(url: string): void {
  characters -= kept.get(url)?.body.length ?? 0;
  kept.delete(url);
}

function withType(response: Response, type: string): Headers {
  const headers = new Headers(response.headers);
  headers.set('Content-Type', type);
  return headers;
}
