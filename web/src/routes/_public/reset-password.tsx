import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordForm } from '@/features/auth/components/reset-password-form';
import { loadTexts } from '@/i18n/i18n';
import { heldMailLink, ONLY_ON_ITS_PAGE } from '@/lib/link-token';

/** Where the link of a mail lands; its token left the address before anything rendered (lib/link-token.ts). */
export const Route = createFileRoute('/_public/reset-password')({
  loader: async () => {
    await loadTexts('account', 'auth');
    return { link: heldMailLink('/reset-password') };
  },
  ...ONLY_ON_ITS_PAGE,
  component: ResetPasswordRoute,
});

function ResetPasswordRoute() {
  return <ResetPasswordForm {...Route.useLoaderData()} />;
}
