import { createFileRoute, redirect } from '@tanstack/react-router';
import { currentUserQuery } from '@/access/current-user';
import { homePath } from '@/access/home-path';
import { nextSignInStep } from '@/access/user';

/** Not signed in: /login. Global role: /free-rehabs. Others: the organizations list (spec A section 2). Or the page that was chosen. */
export const Route = createFileRoute('/')({
  beforeLoad: async ({ context: { queryClient } }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery);
    if (!user) throw redirect({ to: '/login', replace: true });
    if (user.stage === 'first_step') throw redirect({ to: nextSignInStep(user), replace: true });
    throw redirect({ href: homePath(user), replace: true });
  },
});
