import { createFileRoute, redirect } from '@tanstack/react-router';
import { currentUserQuery } from '@/access/current-user';
import { requireFirstStep, requireStep } from '@/access/guards';
import { CreatePasswordForm } from '@/features/auth/components/create-password-form';
import { loadTexts } from '@/i18n/i18n';
import { followedInvitation, passInvitation } from '@/lib/link-token';

export const Route = createFileRoute('/_public/create-password')({
  beforeLoad: async ({ context: { queryClient } }) => {
    if (!(await queryClient.ensureQueryData(currentUserQuery))) {
      // The first step of an invitation is short, its link is not: whoever has no password is led back here.
      const link = followedInvitation();
      if (link === undefined) throw redirect({ to: '/login', search: { reason: 'invitation' }, replace: true });
      passInvitation(link, '/login/callback');
      throw redirect({ to: '/login/callback', replace: true });
    }
    requireStep(await requireFirstStep(queryClient), '/create-password');
  },
  loader: () => loadTexts('auth'),
  component: CreatePasswordForm,
});
