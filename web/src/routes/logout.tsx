import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { rememberSignOut } from '@/access/sign-out';
import { SigningOut } from '@/features/auth/components/signing-out';
import { loadTexts } from '@/i18n/i18n';
import { returnSearchField } from '@/lib/return-search';
import { searchField } from '@/lib/search-field';

const search = z.object({
  returnTo: returnSearchField,
  reason: searchField(z.literal('idle')),
});

/**
 * Ends the session when it is shown, not when it is loaded: a preload must not sign anyone out. From the press on, the browser
 * remembers that it must, even if the tab is closed before the code of this screen has come.
 */
export const Route = createFileRoute('/logout')({
  validateSearch: search,
  beforeLoad: ({ cause, search: { reason } }) => {
    // Not when it loads again: by then somebody else may have signed in.
    if (cause === 'enter') rememberSignOut(reason ?? 'sign-out');
  },
  loader: () => loadTexts('shell'),
  component: LogoutRoute,
});

function LogoutRoute() {
  return <SigningOut {...Route.useSearch()} />;
}
