import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { signOut } from '@/access/end-session';
import { requireSignedOut } from '@/access/guards';
import { nextSignInStep } from '@/access/user';
import { SignInForm } from '@/features/auth/components/sign-in-form';
import { loadTexts } from '@/i18n/i18n';
import { returnSearchField } from '@/lib/return-search';

const search = z.object({
  returnTo: returnSearchField,
  reason: z.catch(z.optional(z.literal(['idle', 'invitation'])), undefined),
});

export const Route = createFileRoute('/_public/login')({
  validateSearch: search,
  beforeLoad: async ({ context: { queryClient }, preload }) => {
    const user = await requireSignedOut(queryClient);
    // Back has left the page of an invitation: whoever sits there next must not set the password.
    if (user && !preload && nextSignInStep(user) === '/create-password') await signOut(queryClient, 'sign-out');
  },
  loader: () => loadTexts('auth'),
  component: LoginRoute,
});

function LoginRoute() {
  return <SignInForm {...Route.useSearch()} />;
}
