import { createFileRoute } from '@tanstack/react-router';
import { currentUserQuery } from '@/access/current-user';
import { LinkSignIn } from '@/features/auth/components/link-sign-in';
import { loadTexts } from '@/i18n/i18n';
import { heldInvitation, ONLY_ON_ITS_PAGE } from '@/lib/link-token';

/** Where the link of an invitation lands; its token left the address before anything rendered (lib/link-token.ts). */
export const Route = createFileRoute('/_public/login_/callback')({
  loader: async ({ context: { queryClient } }) => {
    const [user] = await Promise.all([queryClient.ensureQueryData(currentUserQuery), loadTexts('auth')]);
    return {
      linkToken: heldInvitation('/login/callback'),
      presentEmail: user?.stage === 'full' ? user.email : undefined,
    };
  },
  ...ONLY_ON_ITS_PAGE,
  component: CallbackRoute,
});

function CallbackRoute() {
  return <LinkSignIn {...Route.useLoaderData()} />;
}
