import { type APIRequestContext, expect } from '@playwright/test';

/** A message of the demo's outbox, newest first in the list. */
export interface Message {
  readonly id: string;
  readonly channel: 'email' | 'sms';
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly createdAt: string;
}

export async function messages(request: APIRequestContext, origin: string): Promise<Message[]> {
  const response = await request.get(`${origin}/dev/outbox`, { headers: { accept: 'application/json' } });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as Message[];
}

/** The newest sign-in code that went to this phone. */
export async function latestCode(request: APIRequestContext, origin: string, phone: string): Promise<string> {
  const all = await messages(request, origin);
  const found = all.find(({ channel, to, body }) => channel === 'sms' && to === phone && /\b\d{6}\b/.test(body));
  const code = found && /\b\d{6}\b/.exec(found.body)?.[0];
  if (!code) throw new Error(`No code was sent to ${phone}.`);
  return code;
}
