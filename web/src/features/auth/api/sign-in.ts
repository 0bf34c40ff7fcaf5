import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { replaceSession } from '@/access/end-session';
import { type CurrentUser, nextSignInStep } from '@/access/user';
import { client, FORM_HEADERS, type Schemas, unwrap } from '@/api/client';
import { NetworkError, RateLimitedError } from '@/api/errors';
import { serverNow } from '@/lib/clock';
import type { SentCode, SignInState } from '../sign-in-state';

/** Where the sign-in goes on, and what the next screen must know; nothing of it is secret. */
export interface NextStep {
  to: ReturnType<typeof nextSignInStep>;
  /** What the next screen starts with. */
  signIn: SignInState;
}

/** The first step: email, password and the accepted version of the agreements. */
export function usePasswordSignIn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (fields: { email: string; password: string; agreements: string }) => {
      await token({
        grant_type: 'password',
        username: fields.email,
        password: fields.password,
        agreements: fields.agreements,
      });
      replaceSession(queryClient);
      return findNextStep(queryClient);
    },
  });
}

/** The first step of an invitation has ended, and this page does not know the link any more. */
export class InvitationOverError extends Error {
  override name = 'InvitationOverError';
}

/** One call of the token endpoint. */
export async function token(fields: Schemas['TokenRequest'], signal?: AbortSignal): Promise<void> {
  // `session: cookie`: the tokens go into HttpOnly cookies and never reach this page.
  const body: Schemas['TokenRequest'] = { client_id: 'berth-web', scope: 'api', ...fields, session: 'cookie' };
  await unwrap(client.POST('/connect/token', { body, headers: FORM_HEADERS, signal }));
}

/** The step succeeded, but who the user is cannot be told (spec A section 8, User info failure). */
export class UserInfoError extends Error {
  override name = 'UserInfoError';
}

/** Who has just signed in, or gone a step. */
export async function fetchUser(queryClient: QueryClient): Promise<CurrentUser> {
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch((error: unknown) => {
    if (error instanceof NetworkError) throw error;
    return null;
  });
  if (!user) throw new UserInfoError();
  return user;
}

/** Where the sign-in goes on; the code is sent here where the next step asks for it. */
export async function findNextStep(queryClient: QueryClient): Promise<NextStep> {
  const user = await fetchUser(queryClient);
  const to = nextSignInStep(user);
  if (to !== '/two-factor-confirm') return { to, signIn: {} };
  try {
    // The code is sent before its screen opens: a reload of that screen then sends no second one.
    return { to, signIn: { sent: await sendCode() } };
  } catch (error) {
    // The password was right, so the next screen does the waiting.
    if (!(error instanceof RateLimitedError)) throw error;
    const waitUntil = serverNow() + (error.retryAfterSeconds ?? 30) * 1000;
    return { to, signIn: { waitUntil, wasJustSent: error.code === 'code-just-sent' } };
  }
}

/** Sends a code to the phone that is known, or to a new one where none is. */
export async function sendCode(phone?: string): Promise<SentCode> {
  const answer = await unwrap(client.POST('/api/Users/phone/challenge', { body: phone ? { phone } : {} }));
  return { phone: answer.phone, resendAt: serverNow() + answer.resendAfterSeconds * 1000 };
}
