import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { requireSignedOut } from '@/access/guards';
import { SignInForm } from '@/features/auth/components/sign-in-form';
import { loadTexts } from '@/i18n/i18n';
import { returnSearchField } from '@/lib/return-search';
import { searchField } from '@/lib/search-field';

const search = z.object({
  returnTo: returnSearchField,
  reason: searchField(z.literal(['idle', 'invitation'])),
});

export const Route = createFileRoute('/_public/login')({
  validateSearch: search,
  beforeLoad: ({ context: { queryClient }, preload }) => requireSignedOut(queryClient, preload),
  loader: () => loadTexts('auth'),
  component: LoginRoute,
});

function LoginRoute() {
  return <SignInForm {...Route.useSearch()} />;
}
