import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import { announceSignIn, replaceSession } from '@/access/end-session';
import { type CurrentUser, nextSignInStep } from '@/access/user';
import { client, FORM_HEADERS, type Schemas, unwrap } from '@/api/client';
import { ApiError, NetworkError, RateLimitedError } from '@/api/errors';
import { serverNow } from '@/lib/clock';
import { invitationQuery } from './invitation';

/** Where the sign-in goes on, and what the next screen must know; nothing of it is secret. */
export interface NextStep {
  to: ReturnType<typeof nextSignInStep>;
  user: CurrentUser;
  /** Set when a code was just sent. */
  sent?: SentCode;
  /** Set when the server sends none yet: epoch milliseconds, by the server's clock, from which one may be asked for. */
  waitUntil?: number;
}

export interface SentCode {
  /** Masked by the server. */
  phone: string;
  /** Epoch milliseconds, by the server's clock, from which another code may be asked for. */
  resendAt: number;
}

/** The first step: e-mail, password and the accepted version of the agreements. */
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

/** The first step of an invited user: the one-time token of the link. One that is only too old can be renewed. */
export function useInvitationSignIn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (linkToken: string): Promise<NextStep | 'expired'> => {
      try {
        await token({ grant_type: 'invitation', access_token: linkToken });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'expired_token')) throw error;
        // The token endpoint says the same of a link that was used and of one that is too old.
        const invitation = await queryClient.fetchQuery(invitationQuery(linkToken)).catch(() => undefined);
        if (invitation?.state === 'expired') return 'expired';
        throw error;
      }
      replaceSession(queryClient);
      return findNextStep(queryClient);
    },
  });
}

/** The first password; sign-in then goes on. */
export function useCreatePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) => {
      await unwrap(client.POST('/api/Users/password', { body: { password } }));
      return findNextStep(queryClient);
    },
  });
}

/** Sends a code to the phone that is known, or to a new one where none is. */
export function useSendCode() {
  return useMutation({ mutationFn: (phone?: string) => sendCode(phone) });
}

/** The last step: the code for a session. */
export function useConfirmCode() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) => {
      await token({ grant_type: 'two_factor_exchange', otp: code });
      announceSignIn();
      return fetchUser(queryClient);
    },
  });
}

async function token(fields: Schemas['TokenRequest']): Promise<void> {
  // `session: cookie`: the tokens go into HttpOnly cookies and never reach this page.
  const body: Schemas['TokenRequest'] = { client_id: 'berth-web', scope: 'api', ...fields, session: 'cookie' };
  await unwrap(client.POST('/connect/token', { body, headers: FORM_HEADERS }));
}

/** The step succeeded, but who the user is cannot be told (spec A section 8, User info failure). */
export class UserInfoError extends Error {
  override name = 'UserInfoError';
}

async function fetchUser(queryClient: QueryClient): Promise<CurrentUser> {
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch((error: unknown) => {
    if (error instanceof NetworkError) throw error;
    return null;
  });
  if (!user) throw new UserInfoError();
  return user;
}

async function findNextStep(queryClient: QueryClient): Promise<NextStep> {
  const user = await fetchUser(queryClient);
  const to = nextSignInStep(user);
  if (to !== '/two-factor-confirm') return { to, user };
  try {
    // The code is sent before its screen opens: a reload of that screen then sends no second one.
    return { to, user, sent: await sendCode() };
  } catch (error) {
    // A code for another sign-in left a moment ago. The password was right, so the next screen does the waiting.
    if (!(error instanceof RateLimitedError)) throw error;
    return { to, user, waitUntil: serverNow() + (error.retryAfterSeconds ?? 30) * 1000 };
  }
}

async function sendCode(phone?: string): Promise<SentCode> {
  const answer = await unwrap(client.POST('/api/Users/phone/challenge', { body: phone ? { phone } : {} }));
  return { phone: answer.phone, resendAt: serverNow() + answer.resendAfterSeconds * 1000 };
}
