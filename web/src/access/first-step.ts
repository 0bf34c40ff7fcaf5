import type { QueryClient } from '@tanstack/react-query';
import { onUserForgotten } from '@/lib/session-end';
import { currentUserQuery } from './current-user';
import { signOutOnServer } from './sign-out';
import { type CurrentUser, nextSignInStep } from './user';

/** The screens on which the password or the phone of an account is chosen. */
const CHOICE = /^\/(create-password|two-factor-setup)$/;

/**
 * Returns whether a page that starts at `pathname` is again the one that began a first step: loaded once more by its user, or
 * by a phone that had dropped it while another app was open. `startedBy` is the browser's word for how it came to be loaded.
 */
export function isLoadedAgain(pathname: string, startedBy: string | undefined, wasDiscarded = false): boolean {
  return CHOICE.test(pathname) && (wasDiscarded || startedBy === 'reload');
}

const [start] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
/** Whether this page began the first step of the sign-in that it shows. */
let isOwn = isLoadedAgain(location.pathname, start?.type, (document as { wasDiscarded?: boolean }).wasDiscarded);

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
