import { createFileRoute } from '@tanstack/react-router';
import { UndoEmailChange } from '@/features/auth/components/undo-email-change';
import { loadTexts } from '@/i18n/i18n';
import { heldMailLink, ONLY_ON_ITS_PAGE } from '@/lib/link-token';

/** Where the link to an old email lands; its token left the address before anything rendered (lib/link-token.ts). */
export const Route = createFileRoute('/_public/undo-email-change')({
  loader: async () => {
    await loadTexts('account', 'auth');
    return { link: heldMailLink('/undo-email-change') };
  },
  ...ONLY_ON_ITS_PAGE,
  component: UndoEmailChangeRoute,
});

function UndoEmailChangeRoute() {
  return <UndoEmailChange {...Route.useLoaderData()} />;
}
