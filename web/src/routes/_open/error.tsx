import { createFileRoute, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ErrorRedirect } from '@/features/auth/components/error-redirect';
import { loadTexts } from '@/i18n/i18n';

/** Plain text of at most 200 characters: the address may come from anywhere. */
const text = z.catch(
  z.optional(
    z.pipe(
      z.coerce.string(),
      z.transform((value: string) => value.slice(0, 200)),
    ),
  ),
  undefined,
);

export const Route = createFileRoute('/_open/error')({
  validateSearch: z.object({ source: text, message: text }),
  beforeLoad: ({ search }) => {
    if (!search.message) throw redirect({ to: '/login', replace: true });
  },
  loader: () => loadTexts('auth'),
  component: ErrorRoute,
});

function ErrorRoute() {
  const { message = '', source } = Route.useSearch();
  return <ErrorRedirect message={message} source={source} />;
}
