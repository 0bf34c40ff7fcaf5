import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { currentUserQuery } from './current-user';
import { endLeftStep } from './first-step';
import { type CurrentUser, nextSignInStep } from './user';

/** For screens of people who are not signed in: who is, goes home (spec A section 2). */
export async function requireSignedOut(queryClient: QueryClient, isPreload: boolean): Promise<void> {
  const user = await queryClient.ensureQueryData(currentUserQuery);
  if (user?.stage === 'full') throw redirect({ to: '/', replace: true });
  if (user) await endLeftStep(queryClient, user, !isPreload);
}

/** For the screens between password and session: others go where they belong. Returns the half signed-in user. */
export async function requireFirstStep(queryClient: QueryClient): Promise<CurrentUser> {
  const user = await queryClient.ensureQueryData(currentUserQuery);
  if (!user || (await endLeftStep(queryClient, user))) throw redirect({ to: '/login', replace: true });
  if (user.stage === 'full') throw redirect({ to: '/', replace: true });
  return user;
}

/** Sends a half signed-in user to the step that is due, unless it is this one. */
export function requireStep(user: CurrentUser, step: ReturnType<typeof nextSignInStep>): void {
  const due = nextSignInStep(user);
  if (due !== step) throw redirect({ to: due, replace: true });
}
