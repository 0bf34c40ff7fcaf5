import { createFileRoute } from '@tanstack/react-router';
import { loadTexts } from '@/i18n/i18n';
import * as z from 'zod/mini';

const search = z.object({ returnTo: z.catch(z.optional(z.string().check(z.maxLength(500))), undefined) });

export const Route = createFileRoute('/login')({
  validateSearch: search,
  loader: () => loadTexts('auth'),
});
