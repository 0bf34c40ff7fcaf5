import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { SigningOut } from '@/features/auth/components/signing-out';
import { loadTexts } from '@/i18n/i18n';

const search = z.object({
  returnTo: z.catch(z.optional(z.string().check(z.maxLength(500))), undefined),
  reason: z.catch(z.optional(z.literal('idle')), undefined),
});

/** Ends the session when it is shown, not when it is loaded: a preload must not sign anyone out. */
export const Route = createFileRoute('/logout')({
  validateSearch: search,
  loader: () => loadTexts('shell'),
  component: LogoutRoute,
});

function LogoutRoute() {
  return <SigningOut {...Route.useSearch()} />;
}
