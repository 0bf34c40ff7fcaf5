import { createFileRoute, redirect } from '@tanstack/react-router';
import { currentUserQuery } from '@/access/current-user';
import { ApiError, NetworkError } from '@/api/errors';
import { invitationQuery } from '@/features/auth/api/invitation';
import { SignupInvitation } from '@/features/auth/components/signup-invitation';
import { loadTexts } from '@/i18n/i18n';
import { heldInvitation, ONLY_ON_ITS_PAGE, passInvitation } from '@/lib/link-token';

/** Shows an invitation; its token left the address before anything rendered (lib/link-token.ts). */
export const Route = createFileRoute('/_public/signup')({
  loader: async ({ context: { queryClient } }) => {
    const linkToken = heldInvitation('/signup');
    const [user, invitation] = await Promise.all([
      queryClient.ensureQueryData(currentUserQuery),
      linkToken ? queryClient.fetchQuery(invitationQuery(linkToken)).catch(unknownToServer) : undefined,
      loadTexts('account', 'auth', 'users'),
    ]);
    if (linkToken && invitation?.state === 'expired') {
      passInvitation(linkToken, '/signup-expired');
      throw redirect({ to: '/signup-expired', replace: true });
    }
    return { linkToken, invitation, presentEmail: user?.stage === 'full' ? user.email : undefined };
  },
  ...ONLY_ON_ITS_PAGE,
  // The way to the invitation is code that no other page needs.
  codeSplitGroupings: [['loader', 'component']],
  component: SignupRoute,
});

/** A refusal means that the link is none; a server that cannot be reached is told as such. */
function unknownToServer(error: unknown): undefined {
  if (error instanceof ApiError && !(error instanceof NetworkError) && error.status < 500) return undefined;
  throw error;
}

function SignupRoute() {
  return <SignupInvitation {...Route.useLoaderData()} />;
}
