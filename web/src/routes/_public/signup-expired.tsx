import { createFileRoute } from '@tanstack/react-router';
import { SignupExpired } from '@/features/auth/components/signup-expired';
import { loadTexts } from '@/i18n/i18n';
import { heldInvitation, ONLY_ON_ITS_PAGE } from '@/lib/link-token';

export const Route = createFileRoute('/_public/signup-expired')({
  loader: async () => {
    await loadTexts('account', 'auth');
    return { linkToken: heldInvitation('/signup-expired') };
  },
  ...ONLY_ON_ITS_PAGE,
  component: SignupExpiredRoute,
});

function SignupExpiredRoute() {
  return <SignupExpired {...Route.useLoaderData()} />;
}
