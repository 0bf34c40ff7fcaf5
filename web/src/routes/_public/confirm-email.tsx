import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmail } from '@/features/auth/components/confirm-email';
import { loadTexts } from '@/i18n/i18n';
import { heldMailLink, ONLY_ON_ITS_PAGE } from '@/lib/link-token';

/** Where the link to a new email lands; its token left the address before anything rendered (lib/link-token.ts). */
export const Route = createFileRoute('/_public/confirm-email')({
  loader: async () => {
    await loadTexts('account', 'auth');
    return { link: heldMailLink('/confirm-email') };
  },
  ...ONLY_ON_ITS_PAGE,
  component: ConfirmEmailRoute,
});

function ConfirmEmailRoute() {
  return <ConfirmEmail {...Route.useLoaderData()} />;
}
