import { createFileRoute } from '@tanstack/react-router';
import { UndoEmailChange } from '@/features/auth/components/undo-email-change';
import { loadTexts } from '@/i18n/i18n';
import { takeMailLink } from '@/lib/link-token';

/** Where the link to an old email lands; its token left the address before anything rendered (lib/link-token.ts). */
export const Route = createFileRoute('/_public/undo-email-change')({
  loader: async () => {
    await loadTexts('account', 'auth');
    return { link: takeMailLink() };
  },
  staleTime: Infinity,
  component: UndoEmailChangeRoute,
});

function UndoEmailChangeRoute() {
  return <UndoEmailChange {...Route.useLoaderData()} />;
}
