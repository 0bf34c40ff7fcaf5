import { createFileRoute, redirect } from '@tanstack/react-router';
import { can } from '@/access/can';
import { currentUserQuery } from '@/access/current-user';
import { type CurrentUser, hasRole, nextSignInStep } from '@/access/user';
import { loadTexts } from '@/i18n/i18n';
import { safeReturnPath } from '@/lib/return-path';
import { SignedInLayout } from '@/pages/signed-in-layout';

/** Everything behind the sign-in: sidebar, header, footer, live connection, idle sign-out. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context: { queryClient }, location, matches }): Promise<{ user: CurrentUser }> => {
    const user = await queryClient.ensureQueryData(currentUserQuery);
    if (!user) throw redirect({ to: '/login', search: { returnTo: safeReturnPath(location.href) }, replace: true });
    if (user.stage === 'first_step') throw redirect({ to: nextSignInStep(user), replace: true });
    // Whoever is only invited can do nothing but answer.
    if (!hasRole(user) && location.pathname !== '/invitations') throw redirect({ to: '/invitations', replace: true });
    const { staticData: { who } = {}, params = {} } = matches.at(-1) ?? {};
    const { organizationId: id = '' }: { organizationId?: string } = params;
    if (who && !can(user, who, { organization: { id, isCommercial: false } }))
      throw redirect({ to: '/', replace: true });
    return { user };
  },
  loader: () => loadTexts('shell'),
  component: SignedInLayout,
});
