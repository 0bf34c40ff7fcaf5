import type { QueryClient } from '@tanstack/react-query';
import { onUserForgotten } from '@/lib/session-end';
import { currentUserQuery } from './current-user';
import { signOutOnServer } from './sign-out';
import { type CurrentUser, nextSignInStep } from './user';

/** The screens on which the password or the phone of an account is chosen. */
const CHOICE = /^\/(create-password|two-factor-setup)$/;

/** Whether this page began the first step of the sign-in that it shows, or is that page again. */
let isOwn = CHOICE.test(location.pathname) && wasLoadedAgain();

/** Loaded again by its user, or by a phone that had dropped it while another app was open. */
function wasLoadedAgain(): boolean {
  const [start] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return start?.type === 'reload' || (document as { wasDiscarded?: boolean }).wasDiscarded === true;
}

/** This page has just begun a first step. */
export function noteFirstStep(): void {
  isOwn = true;
}
onUserForgotten(() => {
  isOwn = false;
});

/**
 * Ends a first step in which a password or phone is to be chosen, if another page began it, or wherever it `isLeft`: whoever
 * sits there now must not choose (docs/decisions/0077). Other tabs are not told: the page of an invitation that is still open
 * follows its link once more. Returns whether it was ended.
 */
export async function endLeftStep(queryClient: QueryClient, user: CurrentUser, isLeft = !isOwn): Promise<boolean> {
  if (!isLeft || !CHOICE.test(nextSignInStep(user))) return false;
  // If the server cannot be reached, this browser remembers that it must.
  await signOutOnServer('sign-out').catch(() => undefined);
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  return true;
}
